import { describe, expect, test } from 'vitest';
import { logbooks } from '../fleet/logbook/demo/logbook.ts';
import type { LogbookEntry } from '../fleet/logbook/logbook-entry.ts';
import { pluggedTimes } from '../fleet/telemetry/public.ts';
import { roles } from '../fleet/vehicles/demo/roles.ts';
import { engineOf, type OfVehicle } from '../fleet/vehicles/public.ts';
import { DAY_MS, HOUR_MS } from '../platform/time/duration.ts';
import { demoScope } from '../testing/demo-scope.ts';
import { books, entriesOf, fleet, planned } from '../testing/demo-seasons.ts';

describe('charging', () => {
  test('has no more power than the model takes', () => {
    const limits = new Map(fleet.map(({ model }) => [`${model.vendor} ${model.model}`, model]));
    expect(limits.get('VW e-up!')).toMatchObject({ maxDcKw: 40, maxAcKw: 7.2 });
    expect(limits.get('Smart EQ fortwo')?.maxDcKw).toBeUndefined();
    for (const vehicle of fleet) {
      const { maxAcKw = 0, maxDcKw = 0, drive } = vehicle.model;
      if (drive === 'plug-in') expect(maxDcKw).toBe(0);
      for (const { from, to, charger, countedKwh } of pluggedTimes(vehicle)) {
        if (to === undefined) continue;
        const kw = countedKwh / ((to - from) / HOUR_MS);
        const limit = charger === 'fast charger' ? maxDcKw : Math.min(11, maxAcKw);
        // The meter counts what is lost on the way, too.
        if (kw > limit * 1.1) expect.fail(`${vehicle.asset.id} charges at ${kw} kW of ${limit}`);
      }
    }
  });

  test('away from the depot leaves a receipt of that day and energy, and nothing else does', () => {
    for (const book of books) {
      const [{ vehicle }] = book as [OfVehicle<LogbookEntry>];
      const receipts = book
        .filter(({ entry }) => entry.category === 'charging')
        .map(({ entry }) => `${entry.date} ${entry.title}`);
      const { first, last } = vehicle.recorded;
      const charged = pluggedTimes(vehicle)
        .filter(({ charger, from }) => charger !== 'depot' && from >= first && from < last)
        .map(({ from, charger, countedKwh }) => {
          const kwh = Math.round(countedKwh * 10) / 10;
          return `${new Date(from).toISOString().slice(0, 10)} ${kwh} kWh at a ${charger}`;
        });
      expect(receipts, vehicle.asset.id).toEqual(charged);
    }
  });
});

test('timing belts are replaced on engines that have one, when they are due', () => {
  const belts = planned.filter(({ entry }) => /timing belt/.test(entry.title));
  expect(belts.length).toBeGreaterThan(0);
  for (const { vehicle, entry, now } of belts) {
    const belt = engineOf(vehicle.model)?.belt;
    const { odometer = 0 } = vehicle.status;
    expect(entry.dueOdometer, vehicle.model.variant).toBe(belt?.km);
    const soonByKm = (belt?.km ?? 0) - odometer < 15_000;
    const soonByAge = Date.parse(entry.dueDate ?? '9999') < now.getTime() + 372 * DAY_MS;
    expect(soonByKm || soonByAge, vehicle.model.variant).toBe(true);
  }
});

test('timing belts that were due in the recorded time have been replaced then', () => {
  const years = ['2028', '2029', '2030'].map((year) => new Date(`${year}-03-05T12:00:00Z`));
  const later = years.flatMap((now) => [
    ...Map.groupBy(logbooks(demoScope('DE', now)), ({ vehicle }) => vehicle).values(),
  ]);
  let replaced = 0;
  for (const book of [...books, ...later]) {
    const [{ vehicle }] = book as [OfVehicle<LogbookEntry>];
    const found = book.filter(({ entry }) => /^Timing belt/.test(entry.title));
    const belt = engineOf(vehicle.model)?.belt;
    const age = (time: number) => (time - vehicle.registeredAt) / (365.25 * DAY_MS);
    const isDueAt = (time: number) =>
      belt !== undefined && (vehicle.mileageAt(time) >= belt.km || age(time) >= (belt.years ?? 99));
    const { first } = vehicle.recorded;
    const wasDue = !isDueAt(first) && isDueAt(vehicle.movedUntil);
    expect(found.length, vehicle.asset.id).toBe(wasDue ? 1 : 0);
    replaced += found.length;
  }
  expect(replaced).toBeGreaterThan(0);
});

describe('fuel', () => {
  test('is what was driven since the last fill, and fits into the tank', () => {
    let compared = 0;
    for (const book of books) {
      const [{ vehicle }] = book as [OfVehicle<LogbookEntry>];
      const { tankLitres = 0, per100Km, drive } = vehicle.model;
      const fills = book.filter(({ entry }) => entry.category === 'fuel').map(({ entry }) => entry);
      for (const [index, fill] of fills.entries()) {
        const litres = Number.parseFloat(fill.title);
        expect(litres, fill.title).toBeLessThanOrEqual(tankLitres);
        const before = fills[index - 1];
        if (!before || drive === 'plug-in') continue;
        const used = (((fill.odometer ?? 0) - (before.odometer ?? 0)) / 100) * per100Km;
        const what = `${vehicle.asset.id} ${fill.date}: ${litres} l after ${used} l`;
        expect(Math.abs(litres - used), what).toBeLessThan(0.05 * tankLitres + 0.06 * used);
        compared += 1;
      }
    }
    expect(compared).toBeGreaterThan(3_000);
  });

  test('of a plug-in hybrid is less than without a plug', () => {
    for (const book of books) {
      const [{ vehicle }] = book as [OfVehicle<LogbookEntry>];
      const fills = book.filter(({ entry }) => entry.category === 'fuel').map(({ entry }) => entry);
      if (vehicle.model.drive !== 'plug-in' || fills.length < 5) continue;
      const km = (fills.at(-1)?.odometer ?? 0) - (fills[0]?.odometer ?? 0);
      const litres = fills.slice(1).reduce((sum, { title }) => sum + Number.parseFloat(title), 0);
      const per100Km = (litres / km) * 100;
      expect(per100Km, vehicle.asset.id).toBeLessThan(vehicle.model.per100Km);
      expect(per100Km, vehicle.asset.id).toBeGreaterThan(vehicle.model.per100Km * 0.35);
    }
  });

  test('was last filled up so that the tank is where it is', () => {
    for (const book of books) {
      const [{ vehicle }] = book as [OfVehicle<LogbookEntry>];
      const { tankLitres = 0, per100Km, drive } = vehicle.model;
      const last = book.findLast(({ entry }) => entry.category === 'fuel')?.entry;
      if (!last || drive === 'plug-in') continue;
      const { odometer = 0, fuelLevel = 0 } = vehicle.status;
      const used = ((odometer - (last.odometer ?? 0)) / 100) * per100Km;
      const left = (fuelLevel / 100) * tankLitres;
      expect(Math.abs(used + left - tankLitres), vehicle.asset.id).toBeLessThan(0.12 * tankLitres);
    }
  });
});

describe('costs', () => {
  test('of tax and insurance are those of the vehicle and hardly change', () => {
    for (const book of books) {
      const amounts = (category: string) =>
        book
          .filter(({ entry }) => entry.category === category)
          .map(({ entry }) => entry.cost?.amount ?? 0);
      expect(new Set(amounts('tax')).size).toBeLessThanOrEqual(1);
      const premiums = amounts('insurance');
      if (premiums.length > 1) {
        expect(Math.max(...premiums) / Math.min(...premiums)).toBeLessThan(1.25);
      }
      const [{ vehicle }] = book as [OfVehicle<LogbookEntry>];
      if (vehicle.model.drive === 'battery' || vehicle.isFrench) expect(amounts('tax')).toEqual([]);
    }
    const golf = books
      .flat()
      .find(({ vehicle, entry }) => entry.category === 'tax' && /Golf/.test(vehicle.model.model));
    expect(golf?.entry.cost?.amount).toBeGreaterThan(2_500);
  });

  test('of fines are those of the country', () => {
    for (const { vehicle, entry } of entriesOf('fine')) {
      const allowed = vehicle.isFrench ? [6_000, 7_500, 9_000, 13_500] : [2_000, 5_000, 5_500];
      expect(allowed, entry.title).toContain(entry.cost?.amount);
    }
  });

  test('that are refunded were paid before', () => {
    for (const book of books) {
      for (const { entry } of book.filter(({ entry }) => (entry.cost?.amount ?? 0) < 0)) {
        const paid = book.some(
          (one) =>
            one.entry.cost?.amount === -(entry.cost?.amount ?? 0) &&
            one.entry.category === entry.category &&
            one.entry.date < entry.date,
        );
        expect(paid, entry.title).toBe(true);
      }
    }
  });
});

describe('services', () => {
  test('come when the interval says, and the next one follows from the last', () => {
    let told = 0;
    for (const vehicle of fleet.filter(({ asset }) => asset.active)) {
      const { times, intervalDays } = vehicle.services;
      const serviceKm = roles[vehicle.model.role].serviceKm;
      const dates = [vehicle.registeredAt, ...times];
      for (const [index, time] of dates.entries()) {
        const before = dates[index - 1];
        if (before === undefined) continue;
        const share = (time - before) / DAY_MS / intervalDays;
        expect(share, vehicle.asset.id).toBeGreaterThan(0.5);
        expect(share, vehicle.asset.id).toBeLessThan(1.2);
      }
      const { odometer = 0, nextServiceDistance } = vehicle.status;
      if (nextServiceDistance === undefined) continue;
      const last = times.at(-1);
      const since = odometer - (last === undefined ? 0 : vehicle.mileageAt(last));
      expect(Math.abs(serviceKm - since - nextServiceDistance)).toBeLessThanOrEqual(50);
      told += 1;
    }
    expect(told).toBeGreaterThan(800);
  });

  test('stand in the logbook', () => {
    for (const book of books) {
      const [{ vehicle }] = book as [OfVehicle<LogbookEntry>];
      const { first, last } = vehicle.recorded;
      const count = vehicle.services.times.filter((time) => time > first + DAY_MS && time < last);
      const found = book.filter(({ entry }) => /^Service/.test(entry.title));
      expect(found.length, vehicle.asset.id).toBeGreaterThanOrEqual(count.length);
      expect(found.length, vehicle.asset.id).toBeLessThanOrEqual(count.length + 1);
    }
  });
});
