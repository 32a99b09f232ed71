import type { Field } from './field.ts';

/** Adds a value to the statement; returns its placeholder. */
export type Bind = (value: unknown) => string;

/** Text compares and sorts by the Unicode collation, ignoring case and normal form: docs/decisions/0038-text.md. */
export function comparable({ type, column }: Field): string {
  return type === 'text' ? orderedText(column) : column;
}

export function orderedText(column: string): string {
  return `${normalizedText(column)} collate text_order`;
}

/** In SQL: the same for texts that differ by case or by Unicode normal form alone. */
export function normalizedText(text: string): string {
  return `normalized_text(${text})`;
}

/** In SQL: whether the text matches the pattern of LIKE. */
export function matches(text: string, pattern: string): string {
  return `${normalizedText(text)} like ${normalizedText(pattern)}`;
}

/** Escapes a text for LIKE, so that it matches literally. */
export function escapeLike(text: string): string {
  return text.replaceAll(/[\\%_]/g, '\\$&');
}
