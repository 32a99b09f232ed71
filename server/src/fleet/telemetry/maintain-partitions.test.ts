import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestService, type TestService } from '../../testing/test-service.ts';
import { maintainPartitions } from './maintain-partitions.ts';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());

const now = new Date('2026-11-15T12:00:00Z');
const keep = (days: number) => service.db.transaction((tx) => maintainPartitions(tx, days, now));

async function months(): Promise<string[]> {
  const rows = await service.db.query<{ bound: string }>(
    `select substring(pg_get_expr(c.relpartbound, c.oid) from '\\d{4}-\\d{2}') as bound
     from pg_inherits i join pg_class c on c.oid = i.inhrelid
     where i.inhparent = 'vehicle_history'::regclass order by 1`,
  );
  return rows.map(({ bound }) => bound);
}

test('There is room from the oldest month that is kept to two months ahead, and for no other', async () => {
  await keep(60);
  const kept = ['2026-09', '2026-10', '2026-11', '2026-12', '2027-01'];
  expect(await months()).toEqual(kept);
  await keep(60);
  expect(await months()).toEqual(kept);
  await keep(365);
  expect(await months()).toHaveLength(15);
});

test('Several processes that start at once make room one after the other', async () => {
  for (const days of [60, 900, 60, 900]) {
    await Promise.all([keep(days), keep(days), keep(days)]);
    expect(await months()).toHaveLength(days === 60 ? 5 : 33);
  }
});
