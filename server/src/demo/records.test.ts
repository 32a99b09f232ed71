import { describe, expect, test } from 'vitest';
import { ChecklistEntrySchema } from '../fleet/checklist/checklist-entry.ts';
import { itemIssues } from '../fleet/checklist/checklist-item.ts';
import { ChecklistTemplateRequestSchema } from '../fleet/checklist/checklist-template.ts';
import { type Incident, IncidentSchema } from '../fleet/incidents/incident.ts';
import { type LogbookEntry, LogbookEntrySchema } from '../fleet/logbook/logbook-entry.ts';
import { CustomerSchema } from '../fleet/users/public.ts';
import { exampleVehicle } from '../fleet/vehicles/public.ts';
import { compileValidator } from '../platform/http/validation.ts';
import { demoFleet, smallDemoFleet } from './fleet.ts';
import type { OfVehicle } from './history.ts';
import { demoRecords, rich, small } from './records.ts';

const now = new Date('2026-11-15T09:30:00.000Z');
const germanFleet = demoFleet(now);
const german = await demoRecords('DE-ABC', germanFleet, rich, now);
const french = await demoRecords('FR-XYZ', smallDemoFleet(now), small, now);
const vehicles = new Map(
  [...germanFleet, ...smallDemoFleet(now)].map((vehicle) => [vehicle.asset.id, vehicle]),
);
const informationOf = (vehicleId: string) => vehicles.get(vehicleId)?.information ?? {};
const both = [german, french];

function byVehicle<Thing>(all: readonly OfVehicle<Thing>[]): Map<string, Thing[]> {
  const groups = new Map<string, Thing[]>();
  for (const { vehicleId, thing } of all) {
    groups.set(vehicleId, [...(groups.get(vehicleId) ?? []), thing]);
  }
  return groups;
}

describe('the records of the demo', () => {
  test('are the same for the same moment', async () => {
    const again = await demoRecords('DE-ABC', demoFleet(new Date(now)), rich, new Date(now));
    expect(again).toEqual(german);
  });

  test.each(['2026-02-28T23:59:59.000Z', '2027-06-01T00:00:00.000Z', '2028-03-01T12:00:00.000Z'])(
    'are as many, and lie in the past, on %s',
    async (moment) => {
      const then = new Date(moment);
      const records = await demoRecords('DE-ABC', demoFleet(then), rich, then);
      expect(records.incidents).toHaveLength(30);
      expect(byVehicle(records.logbook).size).toBe(60);
      expect(byVehicle(records.checklist).size).toBe(30);
      for (const { thing } of records.logbook) {
        expect(thing.date <= moment.slice(0, 10)).toBe(true);
        expect(thing.createdAt <= moment).toBe(true);
      }
      for (const { thing } of records.incidents) {
        expect(thing.reportTimestamp <= moment).toBe(true);
      }
    },
  );

  test('fit the schemas of the interface', () => {
    const issues = {
      logbook: compileValidator(LogbookEntrySchema),
      incidents: compileValidator(IncidentSchema),
      checklist: compileValidator(ChecklistEntrySchema),
      customer: compileValidator(CustomerSchema),
      template: compileValidator(ChecklistTemplateRequestSchema),
    };
    for (const records of both) {
      for (const group of ['logbook', 'incidents', 'checklist'] as const) {
        for (const { thing } of records[group]) expect(issues[group](thing)).toEqual([]);
      }
      for (const { customer } of records.drivers) expect(issues.customer(customer)).toEqual([]);
      expect(issues.template(records.template)).toEqual([]);
      expect(records.checklist.flatMap(({ thing }) => itemIssues(thing, ''))).toEqual([]);
    }
  });

  test('are all there for the vehicle that the documentation names', () => {
    const { drivers, logbook, checklist, incidents } = german;
    for (const group of [drivers, logbook, checklist, incidents]) {
      expect(group.map(({ vehicleId }) => vehicleId)).toContain(exampleVehicle.asset.id);
    }
  });

  test('repeat no id', () => {
    for (const { logbook, checklist, incidents, files } of both) {
      const ids = [...logbook, ...checklist, ...incidents].map(({ thing }) => thing.id);
      expect(new Set(ids).size).toBe(ids.length);
      expect(new Set(files.map(({ uuid }) => uuid)).size).toBe(files.length);
    }
  });
});

describe('the drivers', () => {
  const { drivers } = german;

  test('are 120 customers on two thirds of the vehicles, some of them on several', () => {
    const driven = new Set(drivers.map(({ vehicleId }) => vehicleId)).size;
    expect(driven / germanFleet.length).toBeGreaterThan(0.6);
    expect(driven / germanFleet.length).toBeLessThan(0.73);
    const ids = drivers.map(({ customer }) => customer.customerId);
    expect(new Set(ids).size).toBe(120);
    expect(
      Math.max(...ids.map((id) => ids.filter((other) => other === id).length)),
    ).toBeGreaterThan(2);
    expect(ids.every((id) => /^.{14}4.{4}[89ab]/.test(id))).toBe(true);
    expect(french.drivers.length).toBeGreaterThan(5);
  });

  test('are added to a vehicle once, after its registration', () => {
    const keys = drivers.map(({ vehicleId, customer }) => vehicleId + customer.customerId);
    expect(new Set(keys).size).toBe(keys.length);
    for (const { vehicleId, addedAt } of drivers) {
      expect(addedAt > (informationOf(vehicleId).firstRegistrationDate ?? '')).toBe(true);
      expect(addedAt <= now.toISOString()).toBe(true);
    }
  });
});

describe('a logbook', () => {
  const logbooks = [...byVehicle(german.logbook), ...byVehicle(french.logbook)];

  test('has 6 to 20 entries of the last two years, each after the registration', () => {
    expect(byVehicle(german.logbook).size).toBe(60);
    expect(byVehicle(french.logbook).size).toBe(5);
    for (const [vehicleId, entries] of logbooks) {
      expect(entries.length).toBeGreaterThanOrEqual(6);
      expect(entries.length).toBeLessThanOrEqual(20);
      for (const { date } of entries) {
        expect(date > (informationOf(vehicleId).firstRegistrationDate ?? '')).toBe(true);
        expect(date >= '2024-11-15').toBe(true);
        expect(date <= '2026-11-15').toBe(true);
      }
    }
  });

  test('has an odometer that never runs backwards, nor past that of the vehicle', () => {
    for (const [vehicleId, entries] of logbooks) {
      const inOrder = [...entries].sort((a, b) => (a.date < b.date ? -1 : 1));
      const odometers = inOrder.map(({ odometer }) => odometer ?? Number.NaN);
      expect(odometers).toEqual([...odometers].sort((a, b) => a - b));
      expect(odometers.at(-1)).toBeLessThanOrEqual(vehicles.get(vehicleId)?.status.odometer ?? 0);
      expect(odometers[0]).toBeGreaterThan(0);
    }
  });

  test('has fuel only for a tank, and charging only for a battery', () => {
    const categories = { fuel: 0, charging: 0 };
    for (const [vehicleId, entries] of logbooks) {
      const { evBatteryCapacity, iceTankCapacity } = informationOf(vehicleId);
      for (const { category, title } of entries) {
        if (category !== 'fuel' && category !== 'charging') continue;
        categories[category] += 1;
        const capacity = category === 'fuel' ? iceTankCapacity : evBatteryCapacity;
        expect(Number.parseFloat(title), `${vehicleId}: ${title}`).toBeLessThan(capacity ?? 0);
      }
    }
    expect(categories.fuel).toBeGreaterThan(50);
    expect(categories.charging).toBeGreaterThan(50);
  });

  test('has costs in euros that one would believe', () => {
    const bounds: Record<string, readonly [number, number]> = {
      fuel: [25, 160],
      charging: [1, 65],
      service: [140, 430],
      repair: [18, 12_000],
      tyres: [59, 110],
      cleaning: [8, 95],
      parking: [4, 32],
      toll: [11, 42],
      fine: [20, 55],
      insurance: [600, 1_400],
      tax: [50, 320],
      inspection: [70, 160],
      other: [5, 15],
    };
    for (const [, entries] of logbooks) {
      for (const { category, title, cost, tags } of entries) {
        if (!cost) {
          expect(['accident', 'other']).toContain(category);
          continue;
        }
        expect(cost.currency).toBe('EUR');
        expect(cost.amount < 0).toBe(tags?.includes('refund') ?? false);
        const [from, to] = bounds[category] ?? [0, 0];
        if (cost.amount < 0) continue;
        expect(cost.amount / 100, title).toBeGreaterThanOrEqual(from);
        expect(cost.amount / 100, title).toBeLessThanOrEqual(to);
      }
    }
  });

  test('tells of the incidents, and of their repair', () => {
    const told = german.logbook.filter(({ thing }) => thing.category === 'accident');
    expect(told.length).toBeGreaterThan(20);
    for (const { vehicleId, thing } of told) {
      const incident = german.incidents.find((one) => one.thing.title === thing.title);
      expect(incident?.vehicleId).toBe(vehicleId);
      expect(incident?.thing.incidentTimestamp?.slice(0, 10)).toBe(thing.date);
    }
    const repairs = german.logbook.filter(({ thing }) => thing.title.startsWith('Repaired: '));
    expect(repairs.length).toBeGreaterThan(5);
  });
});

describe('the checklists', () => {
  test('are made from the template, in its order', () => {
    for (const { checklist, template } of both) {
      expect(template.name).toBe('Handover');
      expect(template.entries).toHaveLength(10);
      for (const [, entries] of byVehicle(checklist)) {
        expect(
          entries.map(({ title, type, options, required }) => ({ title, type, options, required })),
        ).toEqual(template.entries.map((item) => ({ options: undefined, ...item })));
        expect(entries.map(({ position }) => position)).toEqual(entries.map((_, index) => index));
      }
    }
    expect(byVehicle(german.checklist).size).toBe(30);
    expect(byVehicle(french.checklist).size).toBe(3);
  });

  test('are mostly done, with every result among them, and some are still due', () => {
    const entries = german.checklist.map(({ thing }) => thing);
    for (const result of ['pass', 'flag', 'fail']) {
      expect(entries.filter((entry) => entry.result === result).length).toBeGreaterThan(2);
    }
    const due = entries.filter(({ dueDate }) => dueDate !== undefined);
    expect(due.length).toBeGreaterThan(10);
    expect(due.length).toBeLessThan(entries.length / 3);
    for (const { result, value, performedAt, dueDate } of entries) {
      const done = dueDate === undefined;
      expect([result, value, performedAt].every((one) => (one !== undefined) === done)).toBe(true);
    }
  });
});

describe('the incidents', () => {
  const incidents = german.incidents.map(({ thing }) => thing);
  const positionsOf = (title: string) =>
    incidents.find((one) => one.title === title)?.damages?.map(({ position }) => position) ?? [];

  test('are thirty in Germany and five in France', () => {
    expect(incidents).toHaveLength(30);
    expect(new Set(incidents.map(({ title }) => title)).size).toBe(30);
    expect(french.incidents).toHaveLength(5);
  });

  test.each([
    ['Ran into the car ahead at a red light', /^front_/],
    ['Hit from behind in a traffic jam', /^rear_/],
    ['Scraped a pillar in the car park', /^right_/],
    ['Left side keyed', /^left_/],
    ['Slid along the guard rail', /^left_/],
    ['Hail storm on the way', /^roof_|_hood$/],
    ['Hail in the yard', /^roof_|_hood$|^rear_trunk_upper/],
    ['Right of way not given at a crossing', /^right_/],
    ['Stone chip in the windscreen', /windshield_base$/],
    ['Coffee spilled', /console|seat/],
  ])('%s: the damages are where one would look for them', (title, place) => {
    const positions = positionsOf(title);
    expect(positions.length).toBeGreaterThan(0);
    for (const position of positions) expect(position).toMatch(place);
  });

  test('are partly resolved and partly repaired; what may not drive is not resolved', () => {
    const count = (keep: (incident: Incident) => boolean) => incidents.filter(keep).length;
    expect(count(({ isResolved }) => isResolved)).toBeGreaterThan(8);
    expect(count(({ isResolved }) => !isResolved)).toBeGreaterThan(8);
    expect(count(({ vehicleOperable }) => !vehicleOperable)).toBe(3);
    expect(count(({ vehicleOperable, isResolved }) => !vehicleOperable && isResolved)).toBe(0);
    const partly = count(
      ({ damages = [] }) =>
        damages.some(({ repaired }) => repaired) && damages.some(({ repaired }) => !repaired),
    );
    expect(partly).toBeGreaterThan(2);
    expect(count(({ damages }) => damages === undefined)).toBe(2);
  });

  test('have exactly one pair that could be the same damage', () => {
    const open = german.incidents.flatMap(({ vehicleId, thing }) =>
      (thing.isResolved ? [] : (thing.damages ?? []))
        .filter(({ repaired }) => !repaired)
        .map(({ position, damageType }) => `${vehicleId} ${position} ${damageType}`),
    );
    expect(open.length - new Set(open).size).toBe(1);
  });

  test('happen to vehicles that they can happen to', () => {
    for (const { vehicleId, thing } of [...german.incidents, ...french.incidents]) {
      const { seats = 0, evBatteryCapacity, iceTankCapacity } = informationOf(vehicleId);
      for (const { position } of thing.damages ?? []) {
        if (/(left|right)_rear_(door|window)|rear_.*_seat|carpet_rear/.test(position))
          expect(seats, thing.title).toBeGreaterThanOrEqual(5);
      }
      if (thing.incidentType === 'charging') expect(evBatteryCapacity).toBeDefined();
      if (/diesel/.test(thing.title)) expect(iceTankCapacity).toBeDefined();
    }
  });
});

test('entries of one day are written down in the evening of that day', () => {
  const late = (entry: LogbookEntry) => entry.createdAt.slice(0, 10) !== entry.date;
  expect(german.logbook.filter(({ thing }) => late(thing))).toEqual([]);
});
