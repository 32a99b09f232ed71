import { describe, expect, test } from 'vitest';
import { DAY_MS, HOUR_MS } from '../../../platform/time/duration.ts';
import { demoScope } from '../../../testing/demo-scope.ts';
import { demoVehicles } from '../../vehicles/public.ts';
import { pluggedTimes } from './plugged-times.ts';

const now = new Date('2026-11-15T09:30:00.000Z');
const told = (['DE', 'FR'] as const)
  .flatMap((country) => demoVehicles(demoScope(country, now)))
  .map((vehicle) => ({
    vehicle,
    electric: vehicle.electric,
    chargings: pluggedTimes(vehicle),
  }));
const withPlug = told.filter(({ electric }) => electric);
const battery = told.filter(({ electric }) => electric?.levelIsCharge);

test('charging is the same for the same moment', () => {
  const [first] = battery;
  const again = demoVehicles(demoScope('DE', new Date(now))).find(
    ({ asset }) => asset.id === first?.vehicle.asset.id,
  );
  expect(again && pluggedTimes(again)).toEqual(first?.chargings);
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
      const { first, last } = vehicle.recorded;
      if (!electric || last - first < 180 * DAY_MS) continue;
      const driven = (vehicle.status.odometer ?? 0) - vehicle.mileageAt(first);
      const { capacityKwh, kwhPerKm } = electric;
      const charged = chargings.reduce((sum, { fromLevel = 0, toLevel }) => {
        const to = toLevel ?? vehicle.status.fuelLevel ?? 0;
        return sum + ((to - fromLevel) / 100) * capacityKwh;
      }, 0);
      expect(charged / (driven * kwhPerKm), vehicle.asset.id).toBeGreaterThan(0.9);
      expect(charged / (driven * kwhPerKm), vehicle.asset.id).toBeLessThan(1.1);
    }
  });

  test('of a plug-in hybrid gives no more than it drove, and what it gives raises the state of charge', () => {
    const plugIns = withPlug.filter(({ electric }) => !electric?.levelIsCharge);
    expect(plugIns.length).toBeGreaterThan(15);
    for (const { vehicle, electric, chargings } of plugIns) {
      const { first } = vehicle.recorded;
      const driven = (vehicle.status.odometer ?? 0) - vehicle.mileageAt(first);
      const charged = chargings.reduce((sum, { countedKwh }) => sum + countedKwh, 0);
      const most = driven * (electric?.kwhPerKm ?? 0) * 1.09 + (electric?.capacityKwh ?? 0);
      expect(charged, vehicle.asset.id).toBeLessThan(most);
      for (const { fromLevel = 0, toLevel, countedKwh } of chargings) {
        if (toLevel === undefined) continue;
        const kwh = ((toLevel - fromLevel) / 100) * (electric?.capacityKwh ?? 0);
        expect(countedKwh / kwh, vehicle.asset.id).toBeGreaterThan(0.98);
        expect(countedKwh / kwh, vehicle.asset.id).toBeLessThan(1.15);
      }
    }
  });

  test('never overlaps, and raises the level by what a charger can give', () => {
    for (const { vehicle, electric, chargings } of withPlug) {
      const { capacityKwh = 0, acKw = 0, maxDcKw = 0 } = electric ?? {};
      const faulty = chargings.filter((each, index) => {
        const { from, to = now.getTime(), fromLevel = 5, toLevel = 100, countedKwh } = each;
        const free = chargings[index - 1]?.to ?? 0;
        const kw = countedKwh / ((to - from) / HOUR_MS);
        const limit = each.charger === 'fast charger' ? maxDcKw : acKw;
        return !(
          from >= free &&
          to <= now.getTime() &&
          fromLevel >= 5 &&
          toLevel > fromLevel &&
          toLevel <= 100 &&
          kw < limit * 1.1 &&
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
      const { first, last } = vehicle.recorded;
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
