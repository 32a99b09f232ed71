import { expect, onTestFinished, test } from 'vitest';
import { auditRequest } from './audit-request.ts';

test('the trail is asked for from a day on, to the end of another', () => {
  const { filters } = auditRequest({ from: '2026-11-16', to: '2026-11-17' }, 'DE-ABC');
  const days = filters?.map(({ value }) => new Date(String(value)).getTime());
  expect(filters?.map(({ operator }) => operator)).toEqual(['gte', 'lt']);
  expect(days).toEqual([new Date(2026, 10, 16).getTime(), new Date(2026, 10, 18).getTime()]);
});

test('a day is asked for to its end, also when it has 25 hours', () => {
  const { TZ } = process.env;
  process.env.TZ = 'Europe/Berlin';
  onTestFinished(() => {
    if (TZ === undefined) delete process.env.TZ;
    else process.env.TZ = TZ;
  });
  const { filters } = auditRequest({ from: '2026-10-25', to: '2026-10-25' }, 'DE-ABC');
  expect(filters?.map(({ value }) => value)).toEqual([
    '2026-10-24T22:00:00.000Z',
    '2026-10-25T23:00:00.000Z',
  ]);
});

test('days of an address that no calendar has are ignored', () => {
  expect(auditRequest({ from: '2026-13-45', to: 'tomorrow' }, 'DE-ABC').filters).toEqual([]);
});
