import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { demoFleet } from '../fleet/vehicles/demo/fleet.ts';
import { findModel, type Vehicle } from '../fleet/vehicles/public.ts';
import { demoScope } from '../testing/demo-scope.ts';
import type { Message } from './message.ts';
import { kmBetween } from './route.ts';
import { type SimulatedVehicle, simulateVehicle } from './simulated-vehicle.ts';

const HOUR_MS = 3_600_000;
const now = new Date('2026-11-13T06:00:00.000Z');
const fleet = [...demoFleet(demoScope('DE', now)), ...demoFleet(demoScope('FR', now))].filter(
  ({ asset }) => asset.active,
);

type Simulated = { vehicle: Vehicle; simulated: SimulatedVehicle; messages: Message[] };

/** Any vehicle of the demo with any seed, for two days. */
const simulations = fc
  .record({ index: fc.nat(fleet.length - 1), seed: fc.string({ maxLength: 8 }) })
  .map(({ index, seed }) => simulate(fleet[index] as Vehicle, seed));

function simulate(vehicle: Vehicle, seed: string, hours = 48): Simulated {
  const simulated = simulateVehicle(vehicle, now.getTime(), seed);
  const messages = simulated.messagesUntil(now.getTime() + hours * HOUR_MS);
  return { vehicle, simulated, messages };
}

function always(promise: (simulate: Simulated) => boolean): void {
  fc.assert(fc.property(simulations, promise), { numRuns: 60 });
}

function everyStep(
  messages: readonly Message[],
  holds: (before: Message, after: Message) => boolean,
): boolean {
  return messages.slice(1).every((after, index) => holds(messages[index] as Message, after));
}

function msBetween(before: Message, after: Message): number {
  return Date.parse(after.timestamp) - Date.parse(before.timestamp);
}

const isBattery = ({ information }: Vehicle) => information.iceTankCapacity === undefined;

test('equal seeds give equal simulations, and others differ', () => {
  const [vehicle] = fleet as [Vehicle];
  expect(simulate(vehicle, 'a').messages).toEqual(simulate(vehicle, 'a').messages);
  expect(simulate(vehicle, 'a').messages).not.toEqual(simulate(vehicle, 'b').messages);
});

test('it does not depend on the intervals in which messages are fetched', () => {
  const [vehicle] = fleet as [Vehicle];
  const simulated = simulateVehicle(vehicle, now.getTime(), 'a');
  const pieces: Message[] = [];
  for (let minute = 0; minute <= 48 * 60; minute += 7) {
    pieces.push(...simulated.messagesUntil(now.getTime() + minute * 60_000));
  }
  pieces.push(...simulated.messagesUntil(now.getTime() + 48 * HOUR_MS));
  expect(pieces).toEqual(simulate(vehicle, 'a').messages);
});

describe('a life', () => {
  test('begins where the status left it', () => {
    always(({ vehicle: { status }, messages: [first] }) => {
      const { odometer, fuelLevel, location, isPluggedIn } = status;
      expect(first).toMatchObject({ odometer, fuelLevel, timestamp: now.toISOString() });
      expect(first?.location).toEqual(location);
      expect(first?.isPluggedIn).toBe(isPluggedIn);
      return true;
    });
  });

  test('goes forward: time always, the odometer never back, the level within its bounds', () => {
    always(({ messages }) => {
      const bounded = messages.every(({ fuelLevel = -1 }) => fuelLevel >= 0 && fuelLevel <= 100);
      return (
        bounded &&
        everyStep(
          messages,
          (before, after) =>
            msBetween(before, after) > 0 && (after.odometer ?? 0) >= (before.odometer ?? 0),
        )
      );
    });
  });

  test('drives and parks within two days, with messages at the promised intervals', () => {
    always(({ messages }) => {
      const often = everyStep(messages, (before, after) => {
        const most = before.engineActive ? 1 : before.isCharging ? 5 : 30;
        return msBetween(before, after) <= most * 60_000;
      });
      const drives = messages.filter(({ engineActive }) => engineActive).length;
      return often && drives > 10 && drives < messages.length - 10;
    });
  });

  test('charges only at the plug, and drives only without it, open and awake', () => {
    always(({ messages }) =>
      messages.every(
        ({ engineActive, isCharging, isPluggedIn, isLocked, doorsClosed, immobilizerActive }) =>
          !(engineActive && (isCharging || isPluggedIn || isLocked || !doorsClosed)) &&
          !(isCharging && !isPluggedIn) &&
          !(isLocked && !doorsClosed) &&
          immobilizerActive === !engineActive,
      ),
    );
  });

  test('moves only while it drives, and by what the odometer says', () => {
    always(({ messages }) =>
      everyStep(messages, (before, after) => {
        const km = (after.odometer ?? 0) - (before.odometer ?? 0);
        if (!before.engineActive) return km === 0;
        const [from, to] = [before.location, after.location];
        const straight = from && to ? kmBetween(from, to) : 0;
        // The odometer is rounded to tenths.
        return straight <= km + 0.11 && straight / (msBetween(before, after) / HOUR_MS) < 200;
      }),
    );
  });

  test('conserves energy: what is in the battery is what was, and was charged, and was not driven', () => {
    fc.assert(
      fc.property(
        simulations,
        fc.array(fc.nat(48 * 60), { maxLength: 20 }),
        ({ vehicle }, minutes) => {
          if (!isBattery(vehicle)) return true;
          const simulated = simulateVehicle(vehicle, now.getTime(), minutes.join());
          const { kwhPerKm = 0 } = simulated.car.battery ?? {};
          const first = simulated.stateAt(now.getTime());
          return minutes
            .sort((a, b) => a - b)
            .every((minute) => {
              const time = now.getTime() + minute * 60_000;
              simulated.messagesUntil(time);
              const { batteryKwh, meterKwh, odometer } = simulated.stateAt(time);
              const charged = meterKwh - first.meterKwh;
              const driven = (odometer - first.odometer) * kwhPerKm;
              return Math.abs(batteryKwh - first.batteryKwh - (charged - driven)) < 1e-6;
            });
        },
      ),
      { numRuns: 60 },
    );
  });

  test('sends its position if that is allowed, and never otherwise', () => {
    always(({ vehicle, messages }) => {
      const tracked = vehicle.information.trackGeolocation !== false;
      return messages.every(({ location }) => (location !== undefined) === tracked);
    });
  });

  test('knows its own charging sessions: one after the other, each with what it charged', () => {
    always(({ simulated }) => {
      const charged = simulated.sessions.reduce(
        (sum, { fromKwh, toKwh }) => sum + toKwh - fromKwh,
        0,
      );
      const ordered = simulated.sessions.every(
        ({ from, to = Number.POSITIVE_INFINITY, fromKwh, toKwh }, index) =>
          from >= (simulated.sessions[index - 1]?.to ?? 0) && to > from && toKwh >= fromKwh,
      );
      const running = simulated.sessions.at(-1)?.to === undefined;
      return ordered && (running || Math.abs(charged - simulated.chargedKwh()) < 1e-6);
    });
  });
});

test('no vehicle charges with more power than its model takes', () => {
  const plugged = fleet.filter(({ information }) => information.evBatteryCapacity !== undefined);
  for (const { vehicle, simulated } of plugged.map((each) => simulate(each, 'power', 72))) {
    const { maxAcKw = 0, maxDcKw = 0, drive } = findModel(vehicle.information) ?? {};
    const limit = Math.max(Math.min(11, maxAcKw), drive === 'battery' ? maxDcKw : 0);
    for (const { from, to, fromKwh, toKwh } of simulated.sessions) {
      if (to === undefined) continue;
      const kw = (toKwh - fromKwh) / ((to - from) / HOUR_MS);
      expect(kw, vehicle.asset.id).toBeLessThanOrEqual(limit * 1.001);
    }
  }
});

test('over a fleet, vehicles charge fast and slowly, with pauses, and others refuel', () => {
  const all = fleet.slice(0, 120).map((vehicle) => simulate(vehicle, 'fleet', 72));
  const sessions = all.flatMap(({ simulated }) => simulated.sessions);
  const powers = sessions.flatMap(({ from, to, fromKwh, toKwh }) =>
    to === undefined ? [] : [(toKwh - fromKwh) / ((to - from) / HOUR_MS)],
  );
  expect(powers.some((kw) => kw > 30)).toBe(true);
  expect(powers.some((kw) => kw > 10.9 && kw < 11.1)).toBe(true);
  expect(powers.some((kw) => kw < 7)).toBe(true);
  const refuelled = all.filter(({ vehicle, messages }) =>
    isBattery(vehicle)
      ? false
      : messages
          .slice(1)
          .some(({ fuelLevel = 0 }, at) => fuelLevel > (messages[at]?.fuelLevel ?? 0)),
  );
  expect(refuelled.length).toBeGreaterThan(3);
  const kmADay = all.map(({ simulated }) => simulated.drivenKm() / 3);
  const average = kmADay.reduce((sum, km) => sum + km, 0) / kmADay.length;
  expect(average).toBeGreaterThan(30);
  expect(average).toBeLessThan(120);
});
