import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { outageLog } from './outage-log.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('an outage is logged once, then each minute with a count, and the next one at once', () => {
  const lines: [object, string][] = [];
  const log = outageLog();
  const fail = (kind: string, times: number) => {
    for (let time = 0; time < times; time++)
      log(kind, new Error('refused'), (fields, message) => lines.push([fields, message]));
  };
  fail('no database', 1_000);
  fail('no store', 1);
  expect(lines).toEqual([
    [{ err: new Error('refused') }, 'no database'],
    [{ err: new Error('refused') }, 'no store'],
  ]);
  vi.advanceTimersByTime(60_000);
  expect(lines.slice(2)).toEqual([
    [{ count: 999, reason: 'Error: refused' }, 'no database (again)'],
  ]);
  fail('no database', 3);
  vi.advanceTimersByTime(60_000);
  expect(lines.slice(3)).toEqual([[{ count: 3, reason: 'Error: refused' }, 'no database (again)']]);
  vi.advanceTimersByTime(60_000);
  fail('no database', 2);
  expect(lines.slice(4)).toEqual([[{ err: new Error('refused') }, 'no database']]);
});
