import { describe, expect, test } from 'vitest';
import { compileValidator } from '../../../platform/http/validation.ts';
import { demoScope } from '../../../testing/demo-scope.ts';
import { demoIncidents } from '../../incidents/public.ts';
import { inspectionFacts } from '../../inspection/public.ts';
import type { DemoVehicle, OfVehicle } from '../../vehicles/public.ts';
import { type LogbookEntry, LogbookEntrySchema } from '../logbook-entry.ts';
import { logbooks } from './logbook.ts';

const now = new Date('2026-11-15T09:30:00.000Z');
const german = demoScope('DE', now);
const french = demoScope('FR', now);
const ofGermany = logbooks(german);
const ofFrance = logbooks(french);
const recordsOf = (all: readonly OfVehicle<LogbookEntry>[]) =>
  all.map(({ vehicle, entry }) => [vehicle.asset.id, entry]);

function byVehicle(all: readonly OfVehicle<LogbookEntry>[]): Map<DemoVehicle, LogbookEntry[]> {
  const groups = Map.groupBy(all, ({ vehicle }) => vehicle);
  return new Map([...groups].map(([vehicle, group]) => [vehicle, group.map(({ entry }) => entry)]));
}

describe('a logbook', () => {
  const books = [...byVehicle(ofGermany), ...byVehicle(ofFrance)];

  test('has the entries of the last two years, each after the registration', () => {
    expect(byVehicle(ofGermany).size).toBe(60);
    expect(byVehicle(ofFrance).size).toBe(5);
    for (const [vehicle, entries] of books) {
      expect(entries.length).toBeGreaterThanOrEqual(6);
      expect(entries.length).toBeLessThanOrEqual(200);
      for (const { date } of entries) {
        expect(date > (vehicle.information.firstRegistrationDate ?? '')).toBe(true);
        expect(date >= '2024-11-15').toBe(true);
        expect(date <= '2026-11-15').toBe(true);
      }
    }
  });

  test('has an odometer that never runs backwards, nor past that of the vehicle', () => {
    for (const [vehicle, entries] of books) {
      const inOrder = [...entries].sort((a, b) => a.date.localeCompare(b.date));
      const odometers = inOrder.map(({ odometer }) => odometer ?? Number.NaN);
      expect(odometers).toEqual([...odometers].sort((a, b) => a - b));
      expect(odometers.at(-1)).toBeLessThanOrEqual(vehicle.status.odometer ?? 0);
      expect(odometers[0]).toBeGreaterThan(0);
    }
  });

  test('has fuel only for a tank, and charging only for a battery', () => {
    const categories = { fuel: 0, charging: 0 };
    for (const [vehicle, entries] of books) {
      const { evBatteryCapacity, iceTankCapacity } = vehicle.information;
      for (const { category, title } of entries) {
        if (category !== 'fuel' && category !== 'charging') continue;
        categories[category] += 1;
        const capacity = category === 'fuel' ? iceTankCapacity : evBatteryCapacity;
        expect(Number.parseFloat(title), `${vehicle.asset.id}: ${title}`).toBeLessThan(
          capacity ?? 0,
        );
      }
    }
    expect(categories.fuel).toBeGreaterThan(50);
    expect(categories.charging).toBeGreaterThan(50);
  });

  test('has costs in euros that one would believe', () => {
    const bounds: Record<string, readonly [number, number]> = {
      fuel: [25, 150],
      charging: [1, 65],
      service: [140, 1_150],
      repair: [18, 9_000],
      tyres: [59, 110],
      cleaning: [8, 95],
      parking: [4, 32],
      toll: [2, 13],
      fine: [20, 135],
      insurance: [600, 1_420],
      tax: [20, 340],
      inspection: [70, 160],
      other: [5, 15],
    };
    for (const [, entries] of books) {
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
    const told = ofGermany.filter(({ entry }) => entry.category === 'accident');
    expect(told.length).toBeGreaterThan(20);
    for (const { vehicle, entry } of told) {
      const incident = demoIncidents(german).find((one) => one.entry.title === entry.title);
      expect(incident?.vehicle).toBe(vehicle);
      expect(incident?.entry.incidentTimestamp?.slice(0, 10)).toBe(entry.date);
    }
    const repairs = ofGermany.filter(({ entry }) => entry.title.startsWith('Repaired: '));
    expect(repairs.length).toBeGreaterThan(5);
  });

  test('tells of the inspection that is recorded as passed, and of no other', () => {
    let told = 0;
    for (const [vehicle, entries] of books) {
      const { passedOn = '' } = inspectionFacts(vehicle);
      const inTime = Date.parse(passedOn) >= vehicle.recorded.first;
      const dates = entries.filter((one) => one.category === 'inspection').map((one) => one.date);
      expect(dates, vehicle.asset.id).toEqual(inTime ? [passedOn] : []);
      told += dates.length;
    }
    expect(told).toBeGreaterThan(5);
  });

  test('is the same for the same moment, and repeats no id', () => {
    const again = logbooks(demoScope('DE', new Date(now)));
    expect(recordsOf(again)).toEqual(recordsOf(ofGermany));
    const ids = [...ofGermany, ...ofFrance].map(({ entry }) => entry.id);
    expect(new Set(ids).size).toBe(ids.length);
  });

  test.each(['2026-02-28T23:59:59.000Z', '2027-06-01T00:00:00.000Z', '2028-03-01T12:00:00.000Z'])(
    'is one of as many, and lies in the past, on %s',
    (moment) => {
      const all = logbooks(demoScope('DE', new Date(moment)));
      expect(byVehicle(all).size).toBe(60);
      for (const { entry } of all) {
        expect(entry.date <= moment.slice(0, 10)).toBe(true);
        expect(entry.createdAt <= moment).toBe(true);
      }
    },
  );

  test('fits the schema of the interface', () => {
    const issuesOf = compileValidator(LogbookEntrySchema);
    for (const { entry } of [...ofGermany, ...ofFrance]) expect(issuesOf(entry)).toEqual([]);
  });

  test('is written in the evening of the day', () => {
    const late = (entry: LogbookEntry) => entry.createdAt.slice(0, 10) !== entry.date;
    expect(ofGermany.filter(({ entry }) => late(entry))).toEqual([]);
  });
});
