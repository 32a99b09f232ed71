import { expect, test } from 'vitest';
import { csvLines } from './csv.ts';

const lineOf = (value: string | number) =>
  csvLines(
    [
      {
        id: 'a',
        header: 'A',
        csv: (row: { value: string | number }) => row.value,
        cell: () => '',
        width: 80,
      },
    ],
    [{ value }],
  ).split('\r\n')[1];

test('no text is a formula for a spreadsheet, whatever separates its cells; numbers stay numbers', () => {
  expect(lineOf('=1+1')).toBe("'=1+1");
  expect(lineOf('＝1+1')).toBe("'＝1+1");
  expect(lineOf('note;=1+1;end')).toBe("note;'=1+1;end");
  expect(lineOf('note;"=1+1;"')).toBe(`"note;'""=1+1;"""`);
  expect(lineOf('note\t@sum')).toBe("note\t'@sum");
  expect(lineOf('B-AB 12; -')).toBe('B-AB 12; -');
  expect(lineOf(-1)).toBe('-1');
});
