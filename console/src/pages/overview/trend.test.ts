import { expect, test } from 'vitest';
import { trend } from './trend.ts';

test('the last seven days are compared with the seven before', () => {
  const happened = [
    '2027-03-01',
    '2027-03-07',
    '2027-03-08',
    '2027-03-14',
    '2027-03-14',
    '2027-02-28',
  ];
  const { days, week, before } = trend(happened, '2027-03-01');
  expect(days).toEqual([1, 0, 0, 0, 0, 0, 1, 1, 0, 0, 0, 0, 0, 2]);
  expect(week).toBe(3);
  expect(before).toBe(2);
});
