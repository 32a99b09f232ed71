import type { Field } from './field.ts';

/** Text compares and sorts by code point, ignoring case: the same on every PostgreSQL. */
export function comparable({ type, column }: Field): string {
  return type === 'text' ? `lower(${withUnicodeCase(column)}) collate "C"` : column;
}

/** The collation "C" of the columns folds the case of ASCII only. */
export function withUnicodeCase(column: string): string {
  return `(${column} collate "default")`;
}

/** Escapes a text for LIKE, so that it matches literally. */
export function escapeLike(text: string): string {
  return text.replaceAll(/[\\%_]/g, '\\$&');
}
