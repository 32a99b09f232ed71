import { expect, test } from 'vitest';
import { auditRequest } from './audit-request.ts';

test('the trail is asked for from a day on, to the end of another', () => {
  const { filters } = auditRequest({ from: '2026-11-16', to: '2026-11-17' }, 'DE-ABC');
  const days = filters?.map(({ value }) => new Date(String(value)).getTime());
  expect(filters?.map(({ operator }) => operator)).toEqual(['gte', 'lt']);
  expect(days).toEqual([new Date(2026, 10, 16).getTime(), new Date(2026, 10, 18).getTime()]);
});

test('days of an address that no calendar has are ignored', () => {
  expect(auditRequest({ from: '2026-13-45', to: 'tomorrow' }, 'DE-ABC').filters).toEqual([]);
});
