import { expect, test } from 'vitest';
import { demoScope } from '../../../testing/demo-scope.ts';
import { demoVehicles } from '../../vehicles/public.ts';
import { drivers } from './drivers.ts';
import { pastAssignments } from './past-assignments.ts';

const now = new Date('2026-11-15T09:30:00.000Z');
const scope = demoScope('DE', now);
const past = pastAssignments(scope);

test('many vehicles had other drivers before, one after the other and all before those of today', () => {
  const byVehicle = Map.groupBy(past, ({ vehicleId }) => vehicleId);
  expect(byVehicle.size).toBeGreaterThan(demoVehicles(scope).length / 4);
  const today = Map.groupBy(drivers(scope), ({ vehicleId }) => vehicleId);
  for (const [vehicleId, periods] of byVehicle) {
    const added = (today.get(vehicleId) ?? []).map(({ addedAt }) => addedAt);
    const end = [now.toISOString(), ...added].sort()[0];
    const times = [...periods.flatMap(({ addedAt, removedAt }) => [addedAt, removedAt]), end];
    expect([...times].sort()).toEqual(times);
  }
});

test('they are the same for the same moment, and the small fleet has some', () => {
  expect(pastAssignments(demoScope('DE', new Date(now)))).toEqual(past);
  expect(pastAssignments(demoScope('FR', now)).length).toBeGreaterThan(0);
});
