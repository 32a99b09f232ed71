import { expect, test } from 'vitest';
import { loggedPath } from './logged-path.ts';

const personal = { behind: /\b(users)\b/i, position: 3, placeholder: '{customerId}' };

test('of a path that no operation is as long as, the first segments are logged', () => {
  const segment = '/'.padEnd(100, 'a');
  for (const rule of [personal, undefined]) {
    expect(loggedPath(segment.repeat(150), rule)).toBe(`${segment.repeat(10)}/…`);
    expect(loggedPath(`/api/${'a'.repeat(15_000)}?page=1`, rule)).toBe('/api/…');
  }
  expect(loggedPath(`/%75sers/DE/ABC/anybody${segment.repeat(20)}`, personal)).toBe(
    `/%75sers/DE/ABC/{customerId}${segment.repeat(10)}/…`,
  );
});
