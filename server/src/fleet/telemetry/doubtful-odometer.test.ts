import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startTestService, type TestService } from '../../testing/test-service.ts';
import { type Confirmed, judge, type OdometerState } from './odometer-doubt.ts';

let service: TestService;
const id = 'DE*ABC*V1';

beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());
beforeEach(() => makeVehicle(id));

async function makeVehicle(vehicleId: string) {
  await service.call('DELETE', `/${vehicleId}`);
  await service.call('PUT', `/${vehicleId}`, { information: {} });
}

const begin = Date.now() - 20 * 86_400_000;
const at = (hours: number) => new Date(begin + hours * 3_600_000).toISOString();

type Sent = { hour: number; odometer?: number; [signal: string]: unknown };

async function send(sent: readonly Sent[], vehicleId = id) {
  const messages = sent.map(({ hour, ...signals }) => ({
    vehicleId,
    timestamp: at(hour),
    ...signals,
  }));
  const { json } = await service.call('POST', '/databox/messages', messages);
  return json.results as { result: string; doubtful?: string[] }[];
}

const odometerOf = async () => (await service.call('GET', `/${id}`)).json.status.odometer;

async function historyOf(resolution = 'raw') {
  const { json } = await service.call('POST', `/${id}/history`, {
    from: at(-1),
    resolution,
    fields: ['odometer'],
    pagination: { pageSize: 1_000 },
  });
  return json.items;
}

test('one that falls is stored in the history alone, marked there and in the result, until another agrees', async () => {
  expect(await send([{ hour: 0, odometer: 45_000 }])).toMatchObject([{ result: 'accepted' }]);
  expect(await send([{ hour: 1, odometer: 0, isLocked: true }])).toEqual([
    { index: 0, result: 'accepted', doubtful: ['odometer'] },
  ]);
  expect((await service.call('GET', `/${id}`)).json.status).toEqual({
    lastUpdated: at(1),
    odometer: 45_000,
    isLocked: true,
  });
  expect((await service.call('GET', `/${id}/status`)).json).toMatchObject({
    signals: { odometer: { value: 45_000, measuredAt: at(0) } },
    doubtful: { odometer: { value: 0, measuredAt: at(1) } },
  });
  expect(await historyOf()).toEqual([
    { time: at(0), odometer: 45_000 },
    { time: at(1), odometer: 0, doubtful: ['odometer'] },
  ]);
  expect(await historyOf('month')).toMatchObject([{ odometer: 45_000 }]);

  const { json } = await service.call('PUT', `/${id}/status`, { timestamp: at(2), odometer: 30 });
  expect(json).toEqual({
    result: 'accepted',
    status: { lastUpdated: at(2), odometer: 30, isLocked: true },
  });
  expect(await historyOf()).toEqual([
    { time: at(0), odometer: 45_000 },
    { time: at(1), odometer: 0 },
    { time: at(2), odometer: 30 },
  ]);
  expect((await service.call('GET', `/${id}/status`)).json).not.toHaveProperty('doubtful');
});

test('one that leaps is refused by the next that goes on as before, and stays doubtful', async () => {
  await send([{ hour: 0, odometer: 100 }]);
  expect((await send([{ hour: 1, odometer: 402 }]))[0]?.doubtful).toEqual(['odometer']);
  expect((await send([{ hour: 2, odometer: 150 }]))[0]).not.toHaveProperty('doubtful');
  expect(await odometerOf()).toBe(150);
  expect(await historyOf()).toMatchObject([{}, { odometer: 402, doubtful: ['odometer'] }, {}]);
});

test('sent again, a doubtful one is a duplicate, and does not agree with itself', async () => {
  await send([{ hour: 0, odometer: 100 }]);
  await send([{ hour: 1, odometer: 0 }]);
  expect(await send([{ hour: 1, odometer: 0 }])).toMatchObject([
    { result: 'duplicate', doubtful: ['odometer'] },
  ]);
  expect(await odometerOf()).toBe(100);
});

describe('no forecast moves', () => {
  type Plan = { status: string; forecastDate?: string; dueOdometer?: number };
  const plans = async (): Promise<Plan[]> =>
    Object.values((await service.call('POST', '/maintenance', {})).json.items);

  test.each([
    ['overdue', 45_000, 44_900],
    ['planned', 45_000, 60_000],
  ])(
    'of what is %s by an odometer of 0, nor by one of 1,000,000 km',
    async (status, odometer, due) => {
      await send([
        { hour: 0, odometer: odometer - 500 },
        { hour: 240, odometer },
      ]);
      await service.call('POST', `/${id}/maintenance`, { title: 'Oil', dueOdometer: due });
      const before = await plans();
      expect(before).toMatchObject([{ status, dueOdometer: due }]);
      await send([{ hour: 241, odometer: 0, nextServiceDistance: 1_000 }]);
      await send([{ hour: 242, odometer: 1_000_000 }]);
      const [oil] = (await plans()).filter(({ dueOdometer }) => dueOdometer === due);
      expect(oil).toEqual(before[0]);
      const ofVehicle = (await plans()).filter(({ dueOdometer }) => dueOdometer !== due);
      expect(ofVehicle).toMatchObject([{ dueOdometer: odometer + 1_000 }]);
    },
  );

  test('of an odometer that was imported without a time', async () => {
    await service.db.query('update vehicle_statuses set odometer = 45000 where vehicle_id = $1', [
      id,
    ]);
    expect((await send([{ hour: 0, odometer: 0 }]))[0]?.doubtful).toEqual(['odometer']);
    expect(await odometerOf()).toBe(45_000);
    await send([{ hour: 1, odometer: 45_001 }]);
    expect(await odometerOf()).toBe(45_001);
  });
});

/** The rule, applied to all readings in the order of time. */
function expected(sent: readonly Sent[]) {
  const byHour = new Map<number, number>();
  for (const { hour, odometer } of sent) {
    if (odometer !== undefined) byHour.set(hour, Math.max(byHour.get(hour) ?? 0, odometer));
  }
  const confirmed = new Map<number, Confirmed>();
  let state: OdometerState = {};
  for (const [hour, odometer] of [...byHour].sort(([a], [b]) => a - b)) {
    const time = Date.parse(at(hour));
    const judged = judge(state, { time, odometer });
    state = judged.state;
    confirmed.set(time, judged.confirmed);
    if (judged.nowConfirmed) confirmed.set(judged.nowConfirmed.time, true);
  }
  return { odometer: state.undoubted?.odometer ?? null, confirmed: [...confirmed.values()] };
}

async function stored(vehicleId: string) {
  const [status] = await service.db.query<Record<string, unknown>>(
    'select odometer, odometer_at, doubted_odometer, doubted_odometer_at, last_updated, history_until from vehicle_statuses where vehicle_id = $1',
    [vehicleId],
  );
  const history = await service.db.query<{ odometer_confirmed: Confirmed }>(
    'select time, odometer, odometer_confirmed from vehicle_history where vehicle_id = $1 and odometer is not null order by time',
    [vehicleId],
  );
  return { status, history };
}

const message: fc.Arbitrary<Sent> = fc.record(
  {
    hour: fc.nat(30),
    odometer: fc.constantFrom(0, 1, 250, 500, 700, 4_000, 4_100, 90_000),
    isLocked: fc.boolean(),
    isCharging: fc.boolean(),
  },
  { requiredKeys: ['hour', 'isLocked'] },
);

test('in whatever order and batches messages come, the same readings are doubtful', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(message, fc.nat(1_000), fc.nat(5)), { minLength: 1, maxLength: 25 }),
      async (all) => {
        const ids = ['DE*ABC*ONE', 'DE*ABC*ANY'] as const;
        for (const one of ids) await makeVehicle(one);
        const sent = all.map(([one]) => one);
        for (const one of sent.toSorted((a, b) => a.hour - b.hour)) await send([one], ids[0]);
        const shuffled = all.toSorted(([, a], [, b]) => a - b);
        for (const batch of Map.groupBy(shuffled, ([, , number]) => number).values()) {
          await send(
            batch.map(([one]) => one),
            ids[1],
          );
        }
        const [inOrder, inAnyOrder] = [await stored(ids[0]), await stored(ids[1])];
        expect(inAnyOrder).toEqual(inOrder);
        expect({
          odometer: inOrder.status?.odometer,
          confirmed: inOrder.history.map(({ odometer_confirmed }) => odometer_confirmed),
        }).toEqual(expected(sent));
      },
    ),
    { numRuns: 40 },
  );
});

test('a late reading before thousands of others changes only what it affects', async () => {
  const many = Array.from({ length: 3_000 }, (_, index) => ({
    hour: 1 + index / 10,
    odometer: 1_000 + index,
  }));
  await send(many);
  await send([{ hour: 0, odometer: 50_000 }]);
  // The first is now the one that the others contradict, until they agree among themselves.
  expect((await historyOf()).filter(({ doubtful }: { doubtful?: string[] }) => doubtful)).toEqual(
    [],
  );
  await send([
    { hour: 150.05, odometer: 7 },
    { hour: 0.5, odometer: 50_001 },
    { hour: 299.05, odometer: 7 },
  ]);
  const { history, status } = await stored(id);
  const doubted = history.filter(({ odometer_confirmed }) => odometer_confirmed !== null);
  expect(doubted).toMatchObject([
    { odometer: 1_000, odometer_confirmed: true },
    { odometer: 7, odometer_confirmed: false },
    { odometer: 7, odometer_confirmed: false },
  ]);
  expect(status).toMatchObject({ odometer: 3_999 });
});
