import { expect, test } from 'vitest';
import { createPageSizes } from './page-sizes.ts';

test('where pages are too large, those of one provider are smaller, and grow while they fit', () => {
  const sizes = createPageSizes(200);
  const fit = 30;
  const read: number[] = [];
  for (let page = 0; page < 12; page += 1) {
    const size = sizes.of('DE-ABC');
    read.push(size);
    if (size <= fit) sizes.grow('DE-ABC', size);
    else expect(sizes.shrink('DE-ABC', size)).toBe(true);
  }
  expect(read).toEqual([200, 20, 40, 4, 8, 16, 32, 4, 8, 16, 32, 4]);
  expect(sizes.of('FR-XYZ')).toBe(200);
});

test('a page is as large as can be again once all fit, and one event is the smallest', () => {
  const sizes = createPageSizes(200);
  sizes.shrink('DE-ABC', 200);
  for (const size of [20, 40, 80, 160]) {
    expect(sizes.of('DE-ABC')).toBe(size);
    sizes.grow('DE-ABC', size);
  }
  expect(sizes.of('DE-ABC')).toBe(200);
  expect(sizes.shrink('DE-ABC', 3)).toBe(true);
  expect(sizes.of('DE-ABC')).toBe(1);
  expect(sizes.shrink('DE-ABC', 1)).toBe(false);
});
