import { expect, test } from 'vitest';
import { mergeRows, parseRows, type Row, renderPage } from './reliability-page.ts';

const row = (name: string, figure: string): Row => ({
  fault: 'kill | freeze',
  promise: `${name} holds`,
  figure,
  file: `server/src/faults/${name}.faults.ts`,
  measured: '2026-11-16',
});

test('a run renews its rows, keeps those of other files, and drops those whose tests are gone', () => {
  const page = renderPage([row('disk', '1'), row('gone', '2'), row('kills', '3')], ['2 cores']);
  const isTest = ({ file }: Row) => !file.includes('gone');
  const merged = mergeRows(parseRows(page), [row('kills', '4'), row('soak', '5')], isTest);
  expect(merged).toEqual([row('disk', '1'), row('kills', '4'), row('soak', '5')]);
});
