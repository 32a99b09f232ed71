import { describe, expect, test } from 'vitest';
import { compileValidator } from '../../../platform/http/validation.ts';
import { demoScope } from '../../../testing/demo-scope.ts';
import { type Incident, IncidentSchema } from '../incident.ts';
import { demoIncidents } from './incidents.ts';

const now = new Date('2026-11-15T09:30:00.000Z');
const german = demoScope('DE', now);
const french = demoScope('FR', now);
const ofGermany = demoIncidents(german);
const ofFrance = demoIncidents(french);
const recordsOf = (scope: typeof german) =>
  demoIncidents(scope).map(({ vehicle, entry }) => [vehicle.asset.id, entry]);

describe('the incidents', () => {
  const incidents = ofGermany.map(({ entry }) => entry);
  const positionsOf = (title: string) =>
    incidents.find((one) => one.title === title)?.damages?.map(({ position }) => position) ?? [];

  test('are thirty in Germany and five in France', () => {
    expect(incidents).toHaveLength(30);
    expect(new Set(incidents.map(({ title }) => title)).size).toBe(30);
    expect(ofFrance).toHaveLength(5);
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
    const open = ofGermany.flatMap(({ vehicle, entry }) =>
      (entry.isResolved ? [] : (entry.damages ?? []))
        .filter(({ repaired }) => !repaired)
        .map(({ position, damageType }) => `${vehicle.asset.id} ${position} ${damageType}`),
    );
    expect(open.length - new Set(open).size).toBe(1);
  });

  test('happen to vehicles that they can happen to', () => {
    for (const { vehicle, entry } of [...ofGermany, ...ofFrance]) {
      const { seats = 0, evBatteryCapacity, iceTankCapacity } = vehicle.information;
      for (const { position } of entry.damages ?? []) {
        if (/(left|right)_rear_(door|window)|rear_.*_seat|carpet_rear/.test(position))
          expect(seats, entry.title).toBeGreaterThanOrEqual(5);
      }
      if (entry.incidentType === 'charging') expect(evBatteryCapacity).toBeDefined();
      if (/diesel/.test(entry.title)) expect(iceTankCapacity).toBeDefined();
    }
  });

  test('are the same for the same moment, and repeat no id', () => {
    const all = recordsOf(german);
    expect(recordsOf(demoScope('DE', new Date(now)))).toEqual(all);
    const ids = [...ofGermany, ...ofFrance].map(({ entry }) => entry.id);
    expect(new Set(ids).size).toBe(ids.length);
  });

  test.each(['2026-02-28T23:59:59.000Z', '2027-06-01T00:00:00.000Z', '2028-03-01T12:00:00.000Z'])(
    'are as many, and lie in the past, on %s',
    (moment) => {
      const all = demoIncidents(demoScope('DE', new Date(moment)));
      expect(all).toHaveLength(30);
      for (const { entry } of all) expect(entry.reportTimestamp <= moment).toBe(true);
    },
  );

  test('fit the schema of the interface', () => {
    const issuesOf = compileValidator(IncidentSchema);
    for (const { entry } of [...ofGermany, ...ofFrance]) expect(issuesOf(entry)).toEqual([]);
  });
});
