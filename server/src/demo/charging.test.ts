import { describe, expect, test } from 'vitest';
import type { Vehicle } from '../fleet/vehicles/public.ts';
import { charging } from './charging.ts';
import { electricOf } from './electric.ts';
import { demoFleet, smallDemoFleet } from './fleet.ts';
import { DAY_MS, HOUR_MS, homeOf, recordedTime } from './history.ts';
import { mileageOf } from './mileage.ts';
import { type Reading, readings } from './readings.ts';

const now = new Date('2026-11-15T09:30:00.000Z');
const fleet = [...demoFleet(now), ...smallDemoFleet(now)];
const told = fleet.map((vehicle) => {
  const chargings = charging(vehicle, now);
  return {
    vehicle,
    electric: electricOf(vehicle),
    chargings,
    readings: readings(vehicle, chargings, now),
  };
});
const withPlug = told.filter(({ electric }) => electric);
const battery = told.filter(({ electric }) => electric?.levelIsCharge);

function isNearHome(vehicle: Vehicle, { lat, lng }: { lat: number; lng: number }): boolean {
  const { south, north, west, east } = homeOf(vehicle).bounds;
  return lat >= south && lat <= north && lng >= west && lng <= east;
}

test('all of it is the same for the same moment', () => {
  const [first] = battery;
  const again = demoFleet(new Date(now)).find(({ asset }) => asset.id === first?.vehicle.asset.id);
  expect(again && charging(again, new Date(now))).toEqual(first?.chargings);
});

describe('charging', () => {
  test('is of those with a plug alone', () => {
    for (const { vehicle, chargings } of told) {
      const hasPlug = vehicle.information.evBatteryCapacity !== undefined;
      expect(chargings.length > 0, vehicle.asset.id).toBe(hasPlug);
    }
    expect(battery.length).toBeGreaterThan(90);
  });

  test('of a battery vehicle gives back what it drove', () => {
    for (const { vehicle, electric, chargings } of battery) {
      const { first, last } = recordedTime(vehicle, now);
      if (!electric || last - first < 180 * DAY_MS) continue;
      const driven = (vehicle.status.odometer ?? 0) - mileageOf(vehicle)(first);
      const { capacityKwh, kwhPerKm } = electric;
      const charged = chargings.reduce((sum, { fromLevel = 0, toLevel }) => {
        const to = toLevel ?? vehicle.status.fuelLevel ?? 0;
        return sum + ((to - fromLevel) / 100) * capacityKwh;
      }, 0);
      expect(charged / (driven * kwhPerKm), vehicle.asset.id).toBeGreaterThan(0.9);
      expect(charged / (driven * kwhPerKm), vehicle.asset.id).toBeLessThan(1.1);
    }
  });

  test('of a plug-in hybrid gives no more than it drove, and tells no level', () => {
    const plugIns = withPlug.filter(({ electric }) => !electric?.levelIsCharge);
    expect(plugIns.length).toBeGreaterThan(15);
    for (const { vehicle, electric, chargings } of plugIns) {
      const { first } = recordedTime(vehicle, now);
      const driven = (vehicle.status.odometer ?? 0) - mileageOf(vehicle)(first);
      const charged = chargings.reduce((sum, { countedKwh }) => sum + countedKwh, 0);
      const most = driven * (electric?.kwhPerKm ?? 0) * 1.09 + (electric?.capacityKwh ?? 0);
      expect(charged, vehicle.asset.id).toBeLessThan(most);
      for (const each of chargings) expect('fromLevel' in each || 'toLevel' in each).toBe(false);
    }
  });

  test('never overlaps, and raises the level by what a charger can give', () => {
    for (const { vehicle, electric, chargings } of withPlug) {
      const capacityKwh = electric?.capacityKwh ?? 0;
      const faulty = chargings.filter((each, index) => {
        const { from, to = now.getTime(), fromLevel = 5, toLevel = 100, countedKwh } = each;
        const free = chargings[index - 1]?.to ?? 0;
        const kw = countedKwh / ((to - from) / HOUR_MS);
        return !(
          from >= free &&
          to <= now.getTime() &&
          fromLevel >= 5 &&
          toLevel > fromLevel &&
          toLevel <= 100 &&
          kw < 80 &&
          countedKwh < capacityKwh * 1.1
        );
      });
      expect(faulty, vehicle.asset.id).toEqual([]);
    }
  });

  test('goes back two years, mostly at night and now and then at a fast charger at noon', () => {
    const all = battery.flatMap(({ chargings }) => chargings);
    const atNoon = all.filter(({ from }) => [11, 12, 13].includes(new Date(from).getUTCHours()));
    expect(atNoon.length / all.length).toBeGreaterThan(0.05);
    expect(atNoon.length / all.length).toBeLessThan(0.3);
    for (const { vehicle, chargings } of battery) {
      const { first, last } = recordedTime(vehicle, now);
      if (last - first < 60 * DAY_MS) continue;
      const [oldest] = chargings;
      expect((oldest?.from ?? 0) - first, vehicle.asset.id).toBeLessThan(45 * DAY_MS);
    }
  });

  test('runs where the status says so, and nowhere else', () => {
    const running = withPlug.filter(({ vehicle }) => vehicle.status.isCharging);
    expect(running.length).toBeGreaterThan(10);
    for (const { vehicle, chargings } of withPlug) {
      const open = chargings.filter(({ to }) => to === undefined);
      expect(open, vehicle.asset.id).toHaveLength(vehicle.status.isCharging ? 1 : 0);
      if (open.length > 0) expect(chargings.at(-1)).toBe(open[0]);
    }
  });
});

describe('the readings', () => {
  test('never run backwards, and end with the status', () => {
    for (const { vehicle, readings: all } of told) {
      const { status } = vehicle;
      const newest = all.at(-1);
      expect(newest, vehicle.asset.id).toMatchObject({
        time: Date.parse(status.lastUpdated ?? ''),
        odometer: status.odometer,
        level: status.fuelLevel,
      });
      const faulty = all.filter(({ time, odometer, level = 0 }, index) => {
        const before = all[index - 1] ?? { time: 0, odometer: 0 };
        const forwards = time > before.time && odometer >= before.odometer;
        return !forwards || level < 0 || level > 100;
      });
      expect(faulty, vehicle.asset.id).toEqual([]);
    }
  });

  test('of battery vehicles come daily for two years, from days that differ', () => {
    for (const { vehicle, readings: all } of battery) {
      const { first, last } = recordedTime(vehicle, now);
      if (last - first < 14 * DAY_MS) continue;
      const past = all.slice(0, -1);
      expect((past[0]?.time ?? 0) - first, vehicle.asset.id).toBeLessThan(3 * DAY_MS);
      expect(Math.max(...gaps(past)), vehicle.asset.id).toBeLessThan(1.5 * DAY_MS);
      const days = past
        .slice(1)
        .map(({ odometer }, index) => odometer - (past[index]?.odometer ?? 0));
      expect(Math.max(...days)).toBeGreaterThan(2 * average(days));
    }
  });

  test('of all others come weekly for as long as a forecast looks back', () => {
    for (const { vehicle, electric, readings: all } of told) {
      const { first, last } = recordedTime(vehicle, now);
      if (electric?.levelIsCharge || last - first < 100 * DAY_MS) continue;
      const recent = all.filter(({ time }) => time > last - 110 * DAY_MS);
      expect(recent.length, vehicle.asset.id).toBeGreaterThan(14);
      expect(Math.max(...gaps(recent)), vehicle.asset.id).toBeLessThan(8 * DAY_MS);
    }
  });

  test('tell where a vehicle was if that may be kept: in its town', () => {
    for (const { vehicle, readings: all, chargings } of told) {
      const tracked = vehicle.information.trackGeolocation !== false;
      const faulty = [...all, ...chargings].filter(({ place }) =>
        place ? !tracked || !isNearHome(vehicle, place) : tracked,
      );
      expect(faulty, vehicle.asset.id).toEqual([]);
    }
  });
});

function gaps(all: readonly Reading[]): number[] {
  return all.slice(1).map(({ time }, index) => time - (all[index]?.time ?? 0));
}

function average(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
