import { describe, expect, test } from 'vitest';
import { DAY_MS } from '../../../platform/time/duration.ts';
import { demoScope } from '../../../testing/demo-scope.ts';
import { type DemoVehicle, demoVehicles } from '../../vehicles/public.ts';
import { pluggedTimes } from './plugged-times.ts';
import { type Reading, readings } from './readings.ts';

const now = new Date('2026-11-15T09:30:00.000Z');
const told = (['DE', 'FR'] as const)
  .flatMap((country) => demoVehicles(demoScope(country, now)))
  .map((vehicle) => ({ vehicle, readings: readings(vehicle) }));
const battery = told.filter(({ vehicle }) => vehicle.electric?.levelIsCharge);

function isNearHome({ home }: DemoVehicle, { lat, lng }: { lat: number; lng: number }): boolean {
  const { south, north, west, east } = home.bounds;
  return lat >= south && lat <= north && lng >= west && lng <= east;
}

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
      const { first, last } = vehicle.recorded;
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
    for (const { vehicle, readings: all } of told) {
      const { first, last } = vehicle.recorded;
      if (vehicle.electric?.levelIsCharge || last - first < 100 * DAY_MS) continue;
      const recent = all.filter(({ time }) => time > last - 110 * DAY_MS);
      expect(recent.length, vehicle.asset.id).toBeGreaterThan(14);
      expect(Math.max(...gaps(recent)), vehicle.asset.id).toBeLessThan(8 * DAY_MS);
    }
  });

  test('tell where a vehicle was if that may be kept: in its town', () => {
    for (const { vehicle, readings: all } of told) {
      const tracked = vehicle.information.trackGeolocation !== false;
      const faulty = [...all, ...pluggedTimes(vehicle)].filter(({ location }) =>
        location ? !tracked || !isNearHome(vehicle, location) : tracked,
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
