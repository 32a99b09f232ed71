import { expect, test } from 'vitest';
import { isPlateLike, plateMatch } from './license-plate.ts';

test('a plate is recognised without separators and with letters that look like digits', () => {
  for (const read of ['B-MP 1234', 'B MP1234', 'BMP 1234', 'B-MP l234', '8-MP I234']) {
    expect(plateMatch(read, 'B-MP 1234'), read).toBe(1);
  }
});

test('one misread character is less sure, two are another plate', () => {
  expect(plateMatch('B-MP 1284', 'B-MP 1234')).toBe(0.8);
  expect(plateMatch('B-MX 1284', 'B-MP 1234')).toBe(0);
  expect(plateMatch('', 'B-MP 1234')).toBe(0);
});

test('a plate has letters and digits, and not too many', () => {
  expect(['B-MP 1234', 'AB12 CDE', '191-D-12345'].every(isPlateLike)).toBe(true);
  expect(['Berlin', '12345', 'A sentence with 1 digit'].some(isPlateLike)).toBe(false);
});
