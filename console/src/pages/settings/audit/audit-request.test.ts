import { expect, onTestFinished, test, vi } from 'vitest';
import { auditRequest } from './audit-request.ts';

test('the trail is asked for from a day on, to the end of another', () => {
  const { filters } = auditRequest({ from: '2026-11-16', to: '2026-11-17' }, 'DE-ABC');
  const days = filters?.map(({ value }) => new Date(String(value)).getTime());
  expect(filters?.map(({ operator }) => operator)).toEqual(['gte', 'lt']);
  expect(days).toEqual([new Date(2026, 10, 16).getTime(), new Date(2026, 10, 18).getTime()]);
});

test('the end of a day of 25 hours is that of its last', () => {
  vi.stubEnv('TZ', 'Europe/Berlin');
  onTestFinished(() => {
    vi.unstubAllEnvs();
  });
  const { filters } = auditRequest({ to: '2026-10-25' }, 'DE-ABC');
  expect(filters).toMatchObject([{ operator: 'lt', value: '2026-10-25T23:00:00.000Z' }]);
});

test('days of an address that no calendar has are ignored', () => {
  expect(auditRequest({ from: '2026-02-30', to: 'tomorrow' }, 'DE-ABC').filters).toEqual([]);
});
