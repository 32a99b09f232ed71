import { describe, expect, test } from 'vitest';
import { checklists } from '../fleet/checklist/demo/checklist.ts';
import { drivers } from '../fleet/drivers/demo/drivers.ts';
import { demoIncidents } from '../fleet/incidents/public.ts';
import { inspectionFacts } from '../fleet/inspection/public.ts';
import { logbooks } from '../fleet/logbook/demo/logbook.ts';
import type { LogbookEntry } from '../fleet/logbook/logbook-entry.ts';
import { plannedByHand } from '../fleet/maintenance/demo/planned-by-hand.ts';
import { pluggedTimes } from '../fleet/telemetry/public.ts';
import { roles } from '../fleet/vehicles/demo/roles.ts';
import {
  type DemoVehicle,
  demoVehicles,
  engineOf,
  isDark,
  isWorkday,
  type OfVehicle,
} from '../fleet/vehicles/public.ts';
import { DAY_MS, HOUR_MS } from '../platform/time/duration.ts';
import { demoScope } from '../testing/demo-scope.ts';

const moments = [
  '2026-11-15T09:30:00Z',
  '2027-02-10T08:00:00Z',
  '2027-04-12T15:00:00Z',
  '2027-07-20T21:00:00Z',
].map((moment) => new Date(moment));
const scopes = moments.flatMap((now) =>
  (['DE', 'FR'] as const).map((country) => demoScope(country, now)),
);

const books = scopes.flatMap((scope) => [
  ...Map.groupBy(logbooks(scope), ({ vehicle }) => vehicle).values(),
]);
const entries = books.flat();
const planned = scopes.flatMap((scope) =>
  plannedByHand(scope).map((one) => ({ ...one, now: scope.clock.now() })),
);
const incidents = scopes.flatMap((scope) => demoIncidents(scope));
const fleet = scopes.flatMap((scope) => demoVehicles(scope));

const about = ({ vehicle, entry }: OfVehicle<Pick<LogbookEntry, 'title' | 'date'>>) =>
  `${vehicle.asset.id} ${entry.date} ${entry.title}`;
const monthOf = (date: string) => Number(date.slice(5, 7));
const ofCategory = (...categories: string[]) =>
  entries.filter(({ entry }) => categories.includes(entry.category));
const inService = ({ asset }: DemoVehicle) => asset.active;

describe('tyres', () => {
  test('are changed in April and October, in turn, and only in Germany', () => {
    const changes = ofCategory('tyres');
    expect(changes.length).toBeGreaterThan(200);
    for (const change of changes) {
      const winter = change.entry.title === 'Winter tyres fitted';
      expect(monthOf(change.entry.date), about(change)).toBe(winter ? 10 : 4);
      expect(change.vehicle.isFrench).toBe(false);
    }
    for (const book of books) {
      const titles = book.map(({ entry }) => entry.title).filter((title) => / tyres f/.test(title));
      const repeated = titles.filter((title, index) => title === titles[index - 1]);
      expect(repeated, book[0]?.vehicle.asset.id).toEqual([]);
    }
  });

  test('are planned for the beginning of their season', () => {
    const tyres = planned.filter(({ entry }) => entry.type === 'tyres');
    expect(tyres).toHaveLength(moments.length);
    for (const { entry } of tyres) {
      expect(monthOf(entry.dueDate ?? ''), entry.title).toBe(/winter/.test(entry.title) ? 10 : 4);
    }
  });

  test('of the season stand on the car at a handover', () => {
    const told = scopes
      .flatMap((scope) => checklists(scope))
      .filter(({ entry }) => entry.title === 'Tyres on the car' && entry.value !== undefined);
    expect(told.length).toBeGreaterThan(50);
    for (const { vehicle, entry } of told) {
      const month = monthOf(entry.performedAt ?? '');
      if (vehicle.isFrench) expect(entry.value).toBe('all-season');
      else if (month >= 11 || month <= 3) expect(entry.value).toBe('winter');
      else if (month >= 5 && month <= 9) expect(entry.value).toBe('summer');
    }
  });
});

describe('a vehicle that cannot be driven', () => {
  const stories = incidents.filter(({ entry }) => !entry.vehicleOperable && !entry.isResolved);

  test('stands still since the incident', () => {
    expect(stories).toHaveLength(3 * moments.length);
    for (const { vehicle, entry } of stories) {
      const happened = Date.parse(entry.incidentTimestamp ?? '');
      expect(vehicle.status, entry.title).toMatchObject({
        engineActive: false,
        immobilizerActive: true,
      });
      expect(vehicle.status.isPluggedIn ?? false).toBe(false);
      expect(vehicle.mileageAt(happened)).toBe(vehicle.status.odometer);
      expect(vehicle.mileageAt(happened - 4 * DAY_MS)).toBeLessThan(vehicle.status.odometer ?? 0);
    }
  });

  test('is neither filled up, handed over nor given to a driver afterwards', () => {
    for (const { vehicle, entry } of stories) {
      const date = (entry.incidentTimestamp ?? '').slice(0, 10);
      const later = entries.filter((one) => one.vehicle === vehicle && one.entry.date > date);
      expect(later.map(about)).toEqual([]);
    }
    for (const scope of scopes) {
      const standing = new Map(
        demoVehicles(scope).map(({ asset, standstill = Number.POSITIVE_INFINITY }) => [
          asset.id,
          standstill,
        ]),
      );
      const late = (id: string, time: string) => Date.parse(time) > (standing.get(id) ?? 0);
      expect(drivers(scope).filter((one) => late(one.vehicleId, one.addedAt))).toEqual([]);
      const handed = checklists(scope).filter(
        ({ vehicle, entry }) => entry.performedAt && late(vehicle.asset.id, entry.performedAt),
      );
      expect(handed).toEqual([]);
    }
  });
});

describe('an incident', () => {
  test('happens where its story says', () => {
    const where = (title: string) =>
      incidents.filter(({ entry }) => entry.title === title).map(({ entry }) => entry.location);
    const expected: Record<string, RegExp> = {
      'Deer on a country road': /^[BD] \d+ between .+ and .+$/,
      'Hail storm on the way': /^[BD] \d+ between .+ and .+$/,
      'Tyre burst on the motorway': /^A \d+ near .+$/,
      'Slid along the guard rail': /^A \d+ near .+$/,
      'Hit from behind in a traffic jam': /^A \d+ near .+$/,
      'Scraped a pillar in the car park': /^Car park, .+ \d+, .+$/,
      'Garage door came down on the car': /^Garage, .+ \d+, .+$/,
      'Hail in the yard': /^Yard, .+ \d+, .+$/,
      'Petrol in the diesel tank': /^Petrol station, .+ \d+, .+$/,
      'Ran into the car ahead at a red light': /^[^,]+ \d+, .+$/,
    };
    for (const [title, place] of Object.entries(expected)) {
      const places = where(title);
      expect(places.length, title).toBeGreaterThan(0);
      for (const each of places) expect(each, title).toMatch(place);
    }
    const inTown = incidents.filter(({ entry }) => !/^[ABD] \d+ /.test(entry.location ?? ''));
    for (const { vehicle, entry } of inTown) {
      expect(entry.location?.endsWith(vehicle.home.name), entry.title).toBe(true);
    }
  });

  test('happens in its season, at its time of day, and is not driven to by a later driver', () => {
    for (const { entry } of incidents) {
      const time = entry.incidentTimestamp ?? '';
      if (/Hail/.test(entry.title)) expect([5, 6, 7, 8]).toContain(monthOf(time));
      if (/frost/.test(entry.title)) expect([12, 1, 2]).toContain(monthOf(time));
      if (/Deer/.test(entry.title)) {
        expect(isDark(new Date(Date.parse(time) - 3 * HOUR_MS))).toBe(false);
        expect(isDark(new Date(Date.parse(time) + HOUR_MS))).toBe(true);
      }
    }
    for (const scope of scopes) {
      const added = new Map(
        drivers(scope).map((one) => [one.vehicleId + one.customer.customerId, one.addedAt]),
      );
      for (const { vehicle, entry } of demoIncidents(scope)) {
        if (!entry.customer) continue;
        const since = added.get(vehicle.asset.id + entry.customer.customerId) ?? '9999';
        expect(since <= (entry.incidentTimestamp ?? ''), entry.title).toBe(true);
      }
    }
  });
});

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

describe('the calendar', () => {
  const workshops = ['service', 'repair', 'inspection', 'tyres', 'cleaning', 'tax', 'insurance'];

  test('has no bills on Sundays and holidays', () => {
    const billed = ofCategory(...workshops, 'parking', 'fine', 'toll', 'other');
    const wrong = billed.filter(
      ({ vehicle, entry }) => !isWorkday(Date.parse(entry.date), vehicle.isFrench),
    );
    expect(wrong.map(about)).toEqual([]);
  });

  test('has no appointments, inspections, handovers and registrations on them', () => {
    const dates = [
      ...planned.map(({ vehicle, entry }) => ({ vehicle, date: entry.dueDate })),
      ...fleet.map((vehicle) => ({ vehicle, date: inspectionFacts(vehicle).passedOn })),
      ...fleet.map((vehicle) => ({ vehicle, date: vehicle.information.firstRegistrationDate })),
      ...scopes
        .flatMap((scope) => checklists(scope))
        .map(({ vehicle, entry }) => ({ vehicle, date: entry.performedAt ?? entry.dueDate })),
    ];
    const wrong = dates.filter(
      ({ vehicle, date }) => date !== undefined && !isWorkday(Date.parse(date), vehicle.isFrench),
    );
    expect(wrong.map(({ vehicle, date }) => `${vehicle.asset.id} ${date}`)).toEqual([]);
  });
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
    const golf = entries.find(
      ({ vehicle, entry }) => entry.category === 'tax' && /Golf/.test(vehicle.model.model),
    );
    expect(golf?.entry.cost?.amount).toBeGreaterThan(2_500);
  });

  test('of fines are those of the country', () => {
    for (const { vehicle, entry } of ofCategory('fine')) {
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
    for (const vehicle of fleet.filter(inService)) {
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
      const found = book.filter(({ entry }) => entry.category === 'service');
      expect(found.length, vehicle.asset.id).toBeGreaterThanOrEqual(count.length);
      expect(found.length, vehicle.asset.id).toBeLessThanOrEqual(count.length + 1);
    }
  });
});
