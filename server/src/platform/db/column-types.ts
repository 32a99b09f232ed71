import pg from 'pg';
import { parseTextArray, textArrayType } from './text-array.ts';

/** Parses the text of a column that is not null. */
export type ColumnParser = (text: string) => unknown;

const { DATE, INT8, TIMESTAMPTZ } = pg.types.builtins;
const parsers = new Map<number, ColumnParser>([
  [INT8, Number],
  [DATE, (text) => text],
  [TIMESTAMPTZ, parseInstant],
  [textArrayType, parseTextArray],
]);

/** Instants and dates as text, bigints as numbers; other types as the driver parses them. */
export function columnParser(type: number): ColumnParser {
  return parsers.get(type) ?? pg.types.getTypeParser(type);
}

/** As `Date.toISOString`. Sessions are in UTC, so nearly all need no Date: docs/decisions/0025-hot-path.md. */
function parseInstant(text: string): string {
  if (text[10] === ' ' && text.endsWith('+00')) {
    const milliseconds = text.slice(20, -3).slice(0, 3).padEnd(3, '0');
    return `${text.slice(0, 10)}T${text.slice(11, 19)}.${milliseconds}Z`;
  }
  // In any other form, Date takes a year below 100 for one of the 20th century.
  return new Date(text.replace(' ', 'T').replace(/[+-]\d\d$/, '$&:00')).toISOString();
}
