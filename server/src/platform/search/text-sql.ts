import type { Field } from './field.ts';

/** Text compares and sorts without regard to case, by code point: alike on every PostgreSQL. */
export function comparable({ type, column }: Field): string {
  return type === 'text' ? `lower(${anyCase(column)}) collate "C"` : column;
}

/** Under the collation "C" of a column, only ASCII has cases. */
export function anyCase(column: string): string {
  return `(${column} collate "default")`;
}

/** A search text as a pattern that matches itself and nothing else. */
export function literal(text: string): string {
  return text.replaceAll(/[\\%_]/g, '\\$&');
}
