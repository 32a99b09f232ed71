import { expect, test } from 'vitest';
import { laterPosition } from './position.ts';

test.each([
  ['0/9', '0/10', '0/10'],
  ['0/FFFFFFFF', '1/0', '1/0'],
  ['A/1', '9/FFFFFFFF', 'A/1'],
  [undefined, '0/1', '0/1'],
  ['0/1', undefined, '0/1'],
  [undefined, undefined, undefined],
])('of the positions %s and %s, %s is the later', (one, other, later) => {
  expect(laterPosition(one, other)).toBe(later);
  expect(laterPosition(other, one)).toBe(later);
});
