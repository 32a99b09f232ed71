import { describe, expect, test } from 'vitest';
import { checklists } from '../fleet/checklist/demo/checklist.ts';
import { drivers } from '../fleet/drivers/demo/drivers.ts';
import { demoIncidents } from '../fleet/incidents/public.ts';
import { inspectionFacts } from '../fleet/inspection/public.ts';
import { type DemoVehicle, demoVehicles, isDark, isWorkday } from '../fleet/vehicles/public.ts';
import { DAY_MS, HOUR_MS } from '../platform/time/duration.ts';
import { about, books, entriesOf, fleet, planned, scopes } from '../testing/demo-seasons.ts';

const incidents = scopes.flatMap((scope) => demoIncidents(scope));
const monthOf = (date: string) => Number(date.slice(5, 7));

describe('tyres', () => {
  test('are changed in April and October, in turn, and only in Germany', () => {
    const changes = entriesOf('tyres');
    expect(changes.length).toBeGreaterThan(200);
    for (const change of changes) {
      const winter = change.entry.title === 'Winter tyres fitted';
      expect(monthOf(change.entry.date), about(change)).toBe(winter ? 10 : 4);
      expect(change.vehicle.isFrench).toBe(false);
      const ageDays = (Date.parse(change.entry.date) - change.vehicle.registeredAt) / DAY_MS;
      if (!winter) expect(ageDays, about(change)).toBeGreaterThan(74);
    }
    for (const book of books) {
      const titles = book.map(({ entry }) => entry.title).filter((title) => / tyres f/.test(title));
      const repeated = titles.filter((title, index) => title === titles[index - 1]);
      expect(repeated, book[0]?.vehicle.asset.id).toEqual([]);
    }
  });

  test('are planned for the beginning of their season', () => {
    const tyres = planned.filter(({ entry }) => entry.type === 'tyres');
    expect(tyres).toHaveLength(scopes.length / 2);
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
    expect(stories).toHaveLength((3 * scopes.length) / 2);
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
      const later = books.flat().filter((one) => one.vehicle === vehicle && one.entry.date > date);
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

describe('the calendar', () => {
  const workshops = ['service', 'repair', 'inspection', 'tyres', 'cleaning', 'tax', 'insurance'];

  test('has no bills on Sundays and holidays', () => {
    const billed = entriesOf(...workshops, 'parking', 'fine', 'toll', 'other');
    const wrong = billed.filter(
      ({ vehicle, entry }) => !isWorkday(Date.parse(entry.date), vehicle.isFrench),
    );
    expect(wrong.map(about)).toEqual([]);
  });

  test('has no appointments, inspections, handovers, registrations and new drivers on them', () => {
    const dates = [
      ...planned.map(({ vehicle, entry }) => ({ vehicle, date: entry.dueDate })),
      ...fleet.map((vehicle) => ({ vehicle, date: inspectionFacts(vehicle).passedOn })),
      ...fleet.map((vehicle) => ({ vehicle, date: vehicle.information.firstRegistrationDate })),
      ...scopes.flatMap((scope) => {
        const byId = new Map(demoVehicles(scope).map((vehicle) => [vehicle.asset.id, vehicle]));
        return drivers(scope).map(({ vehicleId, addedAt }) => ({
          vehicle: byId.get(vehicleId) as DemoVehicle,
          date: addedAt,
        }));
      }),
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
