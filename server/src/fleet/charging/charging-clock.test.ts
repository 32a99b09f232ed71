import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { startTestService, type TestService } from '../../testing/test-service.ts';
import { createPartitions } from '../telemetry/public.ts';
import { closeSilentCharging } from './close-silent-charging.ts';

let service: TestService;
let now: Date;
const vehicle = '/DE*ABC*V1';

beforeAll(async () => {
  service = await startTestService({ clock: { now: () => now } });
  await createPartitions(service.owner, 60, new Date('2031-01-31T12:00:00Z'));
});
afterAll(() => service.stop());
beforeEach(async () => {
  now = new Date('2031-01-31T12:00:00.000Z');
  await service.call('DELETE', vehicle);
  await service.call('PUT', vehicle, { information: { evBatteryCapacity: 50 } });
});

const record = (body: object) => service.call('PUT', `${vehicle}/charging/mine`, body);
const sessions = async () => (await service.call('POST', `${vehicle}/charging`)).json.items;
const read = async (id: string) => (await service.call('GET', `${vehicle}/charging/${id}`)).json;
const charge = (timestamp: string, fuelLevel: number) =>
  service.call('PUT', `${vehicle}/status`, { timestamp, isCharging: true, fuelLevel });

test('a recorded time is refused when it is more than 5 minutes ahead of the clock', async () => {
  const [begun, soon] = ['2031-01-31T11:00:00.000Z', '2031-01-31T12:05:00.001Z'];
  const pointersOf = async (body: object) =>
    (await record(body)).json.errors.map(({ pointer }: { pointer: string }) => pointer);
  expect(await pointersOf({ fromDatetime: soon })).toEqual(['/fromDatetime']);
  expect(await pointersOf({ fromDatetime: begun, toDatetime: soon })).toEqual(['/toDatetime']);
  expect(await pointersOf({ fromDatetime: soon, toDatetime: soon })).toEqual([
    '/fromDatetime',
    '/toDatetime',
  ]);
  now = new Date('2031-01-31T12:00:00.001Z');
  expect((await record({ fromDatetime: begun, toDatetime: soon })).status).toBe(201);
});

test('updatedAt is the time of the clock at the last change of a session', async () => {
  const [first, second, third, fourth] = [1, 2, 3, 4].map(
    (minute) => `2031-01-31T12:0${minute}:00.000Z`,
  ) as [string, string, string, string];
  now = new Date(first);
  await charge('2031-01-31T11:00:00Z', 40);
  const [{ id }] = await sessions();
  expect((await read(id)).updatedAt).toBe(first);
  now = new Date(second);
  await charge('2031-01-31T11:05:00Z', 41);
  expect((await read(id)).updatedAt).toBe(second);

  now = new Date(third);
  const { json } = await record({ fromDatetime: '2031-01-31T11:00:00Z' });
  expect(json.updatedAt).toBe(third);
  expect(await sessions()).toMatchObject([{ id: 'mine' }]);
  now = new Date(fourth);
  await service.call('DELETE', `${vehicle}/charging/mine`);
  expect((await read(id)).updatedAt).toBe(fourth);
});

test('a session is ended a day after its last message by the clock', async () => {
  await charge('2031-01-31T12:00:00Z', 40);
  const close = async (time: string) => {
    now = new Date(time);
    await service.dependencies.jobs.add(service.db, closeSilentCharging, {});
    await service.runJobs();
    const [session] = await sessions();
    return { ended: session.toDatetime, updated: (await read(session.id)).updatedAt };
  };
  expect(await close('2031-02-01T11:59:59.999Z')).toEqual({
    ended: undefined,
    updated: '2031-01-31T12:00:00.000Z',
  });
  expect(await close('2031-02-01T12:00:00.000Z')).toEqual({
    ended: '2031-01-31T12:00:00.000Z',
    updated: '2031-02-01T12:00:00.000Z',
  });
});
