import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { startTestService, type TestService } from '../../testing/test-service.ts';
import { createPartitions } from '../telemetry/public.ts';

let service: TestService;
let now: Date;

beforeAll(async () => {
  service = await startTestService({ clock: { now: () => now } });
  await createPartitions(service.owner, 30, new Date('2031-01-31T12:00:00Z'));
});
afterAll(() => service.stop());
beforeEach(async () => {
  now = new Date('2031-01-31T12:00:00.000Z');
  await service.db.query('delete from vehicles');
  for (const id of ['V1', 'V2', 'V3']) await write(id, 'VW');
});

const write = (id: string, vendor: string) =>
  service.call('PUT', `/DE*ABC*${id}`, { information: { vendor } });

async function find(filter: object, sorting: object[] = []): Promise<string[]> {
  const { status, json } = await service.call('POST', '/vehicles', { filters: [filter], sorting });
  expect(status).toBe(200);
  return json.items.map(({ asset }: { asset: { id: string } }) => asset.id.slice(-2));
}

test('updatedAt is the time of the clock at the last change', async () => {
  const updated = (value: string) => find({ field: 'updatedAt', operator: 'eq', value });
  now = new Date('2031-02-01T00:00:00.001Z');
  await write('V2', 'BMW');
  await write('V3', 'VW');
  expect(await updated('2031-02-01T00:00:00.001Z')).toEqual(['V2']);
  expect(await updated('2031-01-31T12:00:00Z')).toEqual(['V1', 'V3']);
});

test('staleSeconds is counted from the last message to the time of the clock', async () => {
  for (const [id, timestamp] of [
    ['V1', '2031-01-31T11:00:00Z'],
    ['V2', '2031-01-31T11:30:00Z'],
  ]) {
    await service.call('PUT', `/DE*ABC*${id}/status`, { timestamp, odometer: 1 });
  }
  const field = 'status.staleSeconds';
  const stale = (operator: string, value: unknown) => find({ field, operator, value });
  expect(await stale('eq', 3_600)).toEqual(['V1']);
  expect(await stale('gte', 1_801)).toEqual(['V1', 'V3']);
  now = new Date('2031-01-31T12:00:01.500Z');
  expect(await stale('gte', 1_801)).toEqual(['V1', 'V2', 'V3']);
  expect(await stale('in', [3_601.5, 1])).toEqual(['V1']);
  expect(await stale('exists', true)).toEqual(['V1', 'V2', 'V3']);
  const isVw = { field: 'information.vendor', value: 'VW' };
  expect(await find(isVw, [{ field }])).toEqual(['V2', 'V1', 'V3']);
  expect(await find(isVw, [{ field, direction: 'desc' }])).toEqual(['V3', 'V1', 'V2']);
});
