import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { startTestService, type TestService } from '../../testing/test-service.ts';
import { createPartitions } from './maintain-partitions.ts';

let service: TestService;
let now: Date;
const vehicleId = 'DE*ABC*V1';

beforeAll(async () => {
  service = await startTestService({ clock: { now: () => now } });
  await createPartitions(service.owner, 60, new Date('2031-01-31T12:00:00Z'));
});
afterAll(() => service.stop());
beforeEach(async () => {
  now = new Date('2031-01-31T12:00:00.000Z');
  await service.call('DELETE', `/${vehicleId}`);
  await service.call('PUT', `/${vehicleId}`, { information: {} });
});

const put = (timestamp: string, odometer = 1) =>
  service.call('PUT', `/${vehicleId}/status`, { timestamp, odometer });

test('a message is refused when it is more than 5 minutes ahead of the clock', async () => {
  expect((await put('2031-01-31T12:05:00.001Z')).json.errors).toEqual([
    {
      pointer: '/timestamp',
      detail:
        "timestamp must be at most 5 minutes ahead of the service's clock, which says 2031-01-31T12:00:00.000Z.",
    },
  ]);
  const batch = [
    { vehicleId, timestamp: '2031-01-31T12:05:00.000Z', odometer: 1 },
    { vehicleId, timestamp: '2031-01-31T12:05:00.001Z', odometer: 1 },
  ];
  const { json } = await service.call('POST', '/databox/messages', batch);
  expect(json.results).toMatchObject([
    { result: 'accepted' },
    { result: 'rejected', reason: 'in_future' },
  ]);
  now = new Date('2031-01-31T12:00:00.001Z');
  expect((await put('2031-01-31T12:05:00.001Z')).json.result).toBe('accepted');
});

test('a message is refused when it is older than the history reaches back from the clock', async () => {
  const { historyDays } = service.dependencies.settings;
  now = new Date(Date.parse('2031-01-31T12:00:00.000Z') + historyDays * 86_400_000);
  expect((await put('2031-01-31T12:00:00.000Z')).json.result).toBe('accepted');
  const { json } = await put('2031-01-31T11:59:59.999Z');
  expect(json.errors[0].detail).toContain('must not be before 2031-01-31T12:00:00.000Z');
});

test('the history ends at the time of the clock, unless the request has another end', async () => {
  for (const [minute, odometer] of [
    ['11:59', 1],
    ['12:00', 2],
    ['12:01', 3],
  ] as const) {
    await put(`2031-01-31T${minute}:00Z`, odometer);
  }
  const odometers = async () => {
    const from = '2031-01-31T00:00:00Z';
    const { json } = await service.call('POST', `/${vehicleId}/history`, {
      from,
      resolution: 'raw',
    });
    return json.items.map(({ odometer }: { odometer: number }) => odometer);
  };
  expect(await odometers()).toEqual([1]);
  now = new Date('2031-01-31T12:00:00.001Z');
  expect(await odometers()).toEqual([1, 2]);
});

test('a box is paired and overwritten at the time of the clock', async () => {
  const pair = async () => (await service.call('PUT', '/databoxes/BX-1', { vehicleId })).json;
  const [first, later] = ['2031-01-31T12:00:00.000Z', '2031-02-01T00:00:00.000Z'];
  expect(await pair()).toMatchObject({ pairedAt: first, updatedAt: first });
  now = new Date(later);
  expect(await pair()).toMatchObject({ pairedAt: first, updatedAt: later });
});
