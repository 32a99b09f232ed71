import { expect, test } from 'vitest';
import { requestedRange } from './byte-range.ts';

test.each(['bytes=', 'bytes=0', 'bytes=-', 'bytes=0-', 'bytes=0-9'])(
  '%s with 200,000 blanks that lead nowhere is read once',
  (begin) => {
    // With one try for each way to divide the blanks, this does not end before the test does.
    const blanks = ' '.repeat(200_000);
    expect(requestedRange(`${begin}${blanks}x`, 100)).toBeUndefined();
  },
  10_000,
);

test('blanks around the parts of a range do not matter', () => {
  expect(requestedRange(' bytes = 1 - 2 ', 100)).toEqual({ first: 1, last: 2 });
  expect(requestedRange('bytes= - 2', 100)).toEqual({ first: 98, last: 99 });
  expect(requestedRange('bytes=1 -', 100)).toEqual({ first: 1, last: 99 });
});
