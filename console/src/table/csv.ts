import { saveBlob } from '../files/save-blob.ts';
import type { Column } from './data-table.tsx';

/** Spreadsheets run what begins like this, also behind what they take for the end of a cell: where commas are decimal, that is a semicolon. */
const formulaStart = /(^|[;\t\r\n])(?="*[=+\-@＝＋－＠\t\r\n])/g;

function quoted(value: string | number | boolean | undefined): string {
  if (value === undefined) return '';
  if (typeof value !== 'string') return String(value);
  const safe = value.replaceAll(formulaStart, "$1'");
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

export function csvLines<Row>(columns: readonly Column<Row>[], rows: readonly Row[]): string {
  const lines = [
    columns.map(({ header }) => quoted(header)),
    ...rows.map((row) => columns.map(({ csv }) => quoted(csv(row)))),
  ];
  return `${lines.map((line) => line.join(',')).join('\r\n')}\r\n`;
}

export function downloadText(name: string, text: string): void {
  // With a byte order mark, by which spreadsheets know UTF-8.
  saveBlob(name, new Blob(['\uFEFF', text], { type: 'text/csv' }));
}
