import { expect, test } from 'vitest';
import { rejectionLog } from './rejection-log.ts';

test('of many rejections a few a minute are logged, and then how many were left out', () => {
  const lines: object[] = [];
  let now = 0;
  const reject = rejectionLog({ warn: (details) => void lines.push(details) }, () => now);
  const rejection = {
    provider: 'DE-ABC',
    serial: 'BX-1',
    reason: 'invalid',
    detail: 'No JSON.',
    count: 3,
  };
  for (let count = 0; count < 50; count++) reject(rejection);
  expect(lines).toEqual(Array.from({ length: 10 }, () => rejection));
  now = 60_000;
  reject(rejection);
  expect(lines.slice(10)).toEqual([{ leftOut: 120 }, rejection]);
});
