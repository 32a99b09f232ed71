import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestService, type TestService } from '../../testing/test-service.ts';

/** Whole stories of a battery of 77 kWh: what the interface returns of them, in the order of time and in any other. */

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());

const minute = 60_000;
const day = 86_400_000;
const begin = Math.floor(Date.now() / day) * day - 40 * day;

type Message = { minute: number } & Record<string, unknown>;
type Expected = {
  /** In minutes. */
  from: number;
  to: number | undefined;
  fromSoC?: number;
  toSoC?: number;
  chargedKWh?: number;
  energyBasis?: string;
  latitude?: number;
};
type Scenario = { promise: string; messages: Message[]; sessions: Expected[]; tank?: boolean };

const clock = (time: string, days = 0) => {
  const [hours = 0, minutes = 0] = time.split(':').map(Number);
  return days * 1_440 + hours * 60 + minutes;
};
const at = (minutes: number) => new Date(begin + minutes * minute).toISOString();
const every = (from: number, to: number, step: number) =>
  Array.from({ length: Math.floor((to - from) / step) + 1 }, (_, index) => from + index * step);

const munich = { lat: 48.137, lng: 11.575 };
const berlin = { lat: 52.52, lng: 13.405 };
const on = { isPluggedIn: true, isCharging: true };
const off = { isPluggedIn: false, isCharging: false };

const munichAndBerlin = (signals: (place: 'munich' | 'berlin') => object): Message[] => [
  { minute: clock('18:00'), ...on, fuelLevel: 20, ...signals('munich') },
  { minute: clock('19:00'), ...on, fuelLevel: 60, ...signals('munich') },
  { minute: clock('10:00', 1), ...on, fuelLevel: 65, ...signals('berlin') },
  { minute: clock('10:30', 1), ...on, fuelLevel: 80, ...signals('berlin') },
  { minute: clock('10:40', 1), ...off, ...signals('berlin') },
];
const twoCities = (latitudes: { munich?: number; berlin?: number } = {}): Expected[] => [
  {
    from: clock('18:00'),
    to: clock('19:00'),
    fromSoC: 20,
    toSoC: 60,
    chargedKWh: 30.8,
    ...(latitudes.munich !== undefined && { latitude: latitudes.munich }),
  },
  {
    from: clock('10:00', 1),
    to: clock('10:40', 1),
    fromSoC: 65,
    toSoC: 80,
    chargedKWh: 11.55,
    ...(latitudes.berlin !== undefined && { latitude: latitudes.berlin }),
  },
];

const kwhAt11kw = (minutes: number) => (11 * minutes) / 60;
const soc = (minutes: number) => Number((20 + (kwhAt11kw(minutes) / 77) * 100).toFixed(1));

/** Charged from 22:00 to 23:00 and left at the plug, night after night. */
const nights: Message[] = every(0, 12, 1).flatMap((night) => [
  { minute: clock('22:00', night), ...on, fuelLevel: 97 },
  { minute: clock('22:05', night), isPluggedIn: true, isCharging: false, fuelLevel: 97 },
  { minute: clock('22:15', night), ...on, fuelLevel: 97 },
  { minute: clock('22:30', night), ...on, fuelLevel: 98 },
  { minute: clock('23:00', night), isPluggedIn: true, isCharging: false, fuelLevel: 100 },
  { minute: clock('23:00', night) + 420, isPluggedIn: true, isCharging: false, fuelLevel: 99 },
]);

const scenarios: Scenario[] = [
  {
    promise: 'an odometer in doubt is no movement',
    messages: [
      { minute: 0, ...on, fuelLevel: 20, odometer: 41_000 },
      { minute: 10, ...on, fuelLevel: 22, odometer: 99_000 },
      { minute: 20, ...on, fuelLevel: 24, odometer: 41_000 },
      { minute: 25, ...on, fuelLevel: 25, odometer: 0 },
      { minute: 30, ...off, fuelLevel: 26, odometer: 41_000 },
    ],
    sessions: [{ from: 0, to: 30, fromSoC: 20, toSoC: 26, chargedKWh: 4.62 }],
  },
  {
    promise: 'and when it is confirmed it is',
    messages: [
      { minute: 0, ...on, fuelLevel: 20, odometer: 41_000 },
      { minute: 5, fuelLevel: 21 },
      { minute: 10, odometer: 42_000 },
      { minute: 14, ...on, fuelLevel: 22, speed: 3 },
      { minute: 20, ...on, fuelLevel: 24 },
      { minute: 28, ...off, fuelLevel: 26, odometer: 42_000 },
      { minute: 200, odometer: 42_010 },
    ],
    sessions: [
      { from: 0, to: 5, fromSoC: 20, toSoC: 21, chargedKWh: 0.77 },
      { from: 14, to: 28, fromSoC: 22, toSoC: 26, chargedKWh: 3.08 },
    ],
  },
  {
    promise: 'a vehicle at another place ended its session where it was last seen charging',
    messages: munichAndBerlin((place) => ({ location: place === 'munich' ? munich : berlin })),
    sessions: twoCities({ munich: munich.lat, berlin: berlin.lat }),
  },
  {
    promise: 'and so did one whose odometer is 600 km further',
    messages: munichAndBerlin((place) => ({ odometer: place === 'munich' ? 41_000 : 41_600 })),
    sessions: twoCities(),
  },
  {
    promise: 'also when a message between them shows it, which says nothing of charging',
    messages: [
      ...munichAndBerlin(() => ({})),
      { minute: clock('18:00'), odometer: 41_000 },
      { minute: clock('23:00'), odometer: 41_300, engineActive: true },
    ],
    sessions: twoCities(),
  },
  {
    promise: 'the engine alone and a scattered position are no movement',
    messages: [
      { minute: 0, ...on, fuelLevel: 20, location: munich, odometer: 41_000 },
      { minute: 10, ...on, fuelLevel: 22, location: { lat: 48.139, lng: 11.575 } },
      { minute: 20, ...on, fuelLevel: 24, engineActive: true, odometer: 41_000.9 },
      { minute: 30, ...off, fuelLevel: 26, location: munich },
    ],
    sessions: [{ from: 0, to: 30, fromSoC: 20, toSoC: 26, chargedKWh: 4.62 }],
  },
  {
    promise: 'what was charged before the meter was first heard is estimated',
    messages: every(0, 125, 25).map((minutes) => ({
      minute: minutes,
      ...(minutes === 125 ? off : on),
      fuelLevel: soc(minutes),
      ...(minutes >= 50 && { energyMeter: 500 + kwhAt11kw(minutes) }),
    })),
    sessions: [
      { from: 0, to: 125, fromSoC: 20, toSoC: 49.8, chargedKWh: 22.913, energyBasis: 'mixed' },
    ],
  },
  {
    promise: 'and so is what was charged after it was last heard',
    messages: every(0, 125, 5).map((minutes) => ({
      minute: minutes,
      ...(minutes === 125 ? off : on),
      fuelLevel: soc(minutes),
      ...(minutes >= 50 && minutes <= 110 && { energyMeter: 500 + kwhAt11kw(minutes) }),
    })),
    sessions: [
      { from: 0, to: 125, fromSoC: 20, toSoC: 49.8, chargedKWh: 22.935, energyBasis: 'mixed' },
    ],
  },
  {
    promise: 'a meter that jitters by 0.1 kWh for 4 hours counted 0.1 kWh at most',
    messages: every(0, 240, 1).map((minutes) => ({
      minute: minutes,
      ...(minutes === 240 ? off : on),
      fuelLevel: 80,
      energyMeter: 1_000 + (minutes % 2) / 10,
    })),
    sessions: [
      { from: 0, to: 240, fromSoC: 80, toSoC: 80, chargedKWh: 0, energyBasis: 'measured' },
    ],
  },
  {
    promise: 'a meter that is known before the start and at the end measured what lies between',
    messages: [
      { minute: 0, energyMeter: 1_000 },
      { minute: 30, ...on, fuelLevel: 40 },
      { minute: 60, ...on, fuelLevel: 46 },
      { minute: 90, ...off, fuelLevel: 52, energyMeter: 1_010.5 },
    ],
    sessions: [
      { from: 30, to: 90, fromSoC: 40, toSoC: 52, chargedKWh: 10.5, energyBasis: 'measured' },
    ],
  },
  {
    promise: 'the state of charge of a plug-in hybrid is not that of its tank',
    tank: true,
    messages: [
      { minute: 0, ...on, fuelLevel: 90, stateOfCharge: 25 },
      { minute: 60, ...on, fuelLevel: 90, stateOfCharge: 55 },
      { minute: 120, ...off, fuelLevel: 90, stateOfCharge: 85 },
    ],
    sessions: [
      { from: 0, to: 120, fromSoC: 25, toSoC: 85, chargedKWh: 46.2, energyBasis: 'estimated' },
    ],
  },
  {
    promise: 'of a battery vehicle, the state of charge counts for more than the level',
    messages: [
      { minute: 0, ...on, fuelLevel: 24, stateOfCharge: 25 },
      { minute: 60, ...on, fuelLevel: 55 },
      { minute: 120, ...off, fuelLevel: 84, stateOfCharge: 85 },
    ],
    sessions: [{ from: 0, to: 120, fromSoC: 25, toSoC: 85, chargedKWh: 46.2 }],
  },
  {
    promise: 'a session that began and ended without a level has its true times',
    tank: true,
    messages: [
      { minute: 0, fuelLevel: 70 },
      { minute: 60, ...on, fuelLevel: 70 },
      { minute: 240, isPluggedIn: true, isCharging: false, fuelLevel: 70 },
    ],
    sessions: [{ from: 60, to: 240 }],
  },
  {
    promise: 'a vehicle at the plug for 13 days has a session for each of its charges',
    messages: nights,
    sessions: every(0, 12, 1).map((night) => ({
      from: clock('22:00', night),
      to: clock('23:00', night),
      fromSoC: 97,
      toSoC: 100,
      chargedKWh: 2.31,
    })),
  },
  ...[10, 30].map((step) => ({
    promise: `a correction of the level, heard every ${step} minutes, is no end`,
    messages: [90, 94, 92, 94, 96].map((fuelLevel, index) => ({
      minute: index * step,
      ...(index === 4 ? off : on),
      fuelLevel,
    })),
    sessions: [{ from: 0, to: 4 * step, fromSoC: 90, toSoC: 96, chargedKWh: 4.62 }],
  })),
];

let count = 0;

async function sessionsAfter(batches: readonly (readonly Message[])[], tank = false) {
  const vehicleId = `DE*ABC*F${++count}`;
  await service.call('PUT', `/${vehicleId}`, {
    information: { evBatteryCapacity: 77, ...(tank && { iceTankCapacity: 40 }) },
  });
  for (const batch of batches) {
    const messages = batch.map(({ minute, ...signals }) => ({
      vehicleId,
      timestamp: at(minute),
      ...signals,
    }));
    const { json } = await service.call('POST', '/databox/messages', messages);
    expect(json.counts.rejected).toBe(0);
  }
  const { json } = await service.call('POST', `/${vehicleId}/charging`);
  const sessions = [];
  for (const { id } of json.items.toReversed()) {
    const {
      id: _,
      updatedAt: __,
      ...session
    } = (await service.call('GET', `/${vehicleId}/charging/${id}`)).json;
    sessions.push(session);
  }
  return sessions;
}

function answerOf({ from, to, latitude, energyBasis = 'estimated', ...values }: Expected) {
  return {
    fromDatetime: at(from),
    ...(to !== undefined && { toDatetime: at(to) }),
    ...(latitude !== undefined && { location: expect.objectContaining({ latitude }) }),
    ...values,
    energyBasis,
  };
}

describe.each(scenarios)('$promise', ({ messages, sessions, tank }) => {
  test('in the order of time', async () => {
    const found = await sessionsAfter([messages], tank);
    expect(found).toMatchObject(sessions.map(answerOf));
    for (const [index, { fromSoC, toSoC, chargedKWh }] of sessions.entries()) {
      const { fromSoC: from, toSoC: to, chargedKWh: charged } = found[index];
      expect([from, to, charged]).toEqual([fromSoC, toSoC, chargedKWh]);
    }
  });

  test('in any order', async () => {
    const inOrder = await sessionsAfter([messages], tank);
    const arrivals = fc.record({
      order: fc.shuffledSubarray(messages, { minLength: messages.length }),
      cuts: fc.array(fc.integer({ min: 0, max: messages.length }), { maxLength: 6 }),
    });
    await fc.assert(
      fc.asyncProperty(arrivals, async ({ order, cuts }) => {
        const bounds = [0, ...cuts.toSorted((a, b) => a - b), order.length];
        const batches = bounds.slice(1).map((end, index) => order.slice(bounds[index], end));
        const sent = batches.filter((batch) => batch.length > 0);
        expect(await sessionsAfter(sent, tank)).toEqual(inOrder);
      }),
      { numRuns: 5 },
    );
  });
});
