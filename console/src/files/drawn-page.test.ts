import { expect, test } from 'vitest';
import { drawnPage } from './drawn-page.ts';

test.each([
  ['a sheet', 595, 842, 1_413, 2_000],
  ['a sheet on its side', 842, 595, 2_000, 1_413],
  ['a narrow strip', 3, 14_400, 1, 2_000],
  ['a flat strip', 14_400, 3, 2_000, 1],
])('%s is drawn no larger than a screen shows', (_, width, height, drawnWidth, drawnHeight) => {
  expect(drawnPage({ width, height })).toMatchObject({ width: drawnWidth, height: drawnHeight });
});
