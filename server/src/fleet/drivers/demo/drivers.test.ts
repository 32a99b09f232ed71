import { describe, expect, test } from 'vitest';
import { compileValidator } from '../../../platform/http/validation.ts';
import { demoScope } from '../../../testing/demo-scope.ts';
import { CustomerSchema } from '../../users/public.ts';
import { demoVehicles } from '../../vehicles/public.ts';
import { drivers } from './drivers.ts';

const now = new Date('2026-11-15T09:30:00.000Z');
const german = demoScope('DE', now);
const french = demoScope('FR', now);
const all = drivers(german);
const fleet = demoVehicles(german);
const registered = new Map(
  fleet.map(({ asset, information }) => [asset.id, information.firstRegistrationDate]),
);

describe('the drivers', () => {
  test('are 120 customers on two thirds of the vehicles, some of them on several', () => {
    const driven = new Set(all.map(({ vehicleId }) => vehicleId)).size;
    expect(driven / fleet.length).toBeGreaterThan(0.6);
    expect(driven / fleet.length).toBeLessThan(0.73);
    const ids = all.map(({ customer }) => customer.customerId);
    expect(new Set(ids).size).toBe(120);
    expect(
      Math.max(...ids.map((id) => ids.filter((other) => other === id).length)),
    ).toBeGreaterThan(2);
    expect(ids.every((id) => /^.{14}4.{4}[89ab]/.test(id))).toBe(true);
    expect(drivers(french).length).toBeGreaterThan(5);
  });

  test('are added to a vehicle once, after its registration', () => {
    const keys = all.map(({ vehicleId, customer }) => vehicleId + customer.customerId);
    expect(new Set(keys).size).toBe(keys.length);
    for (const { vehicleId, addedAt } of all) {
      expect(addedAt > (registered.get(vehicleId) ?? '')).toBe(true);
      expect(addedAt <= now.toISOString()).toBe(true);
    }
  });

  test('are the same for the same moment', () => {
    expect(drivers(demoScope('DE', new Date(now)))).toEqual(all);
  });

  test('fit the schema of the interface', () => {
    const issuesOf = compileValidator(CustomerSchema);
    for (const { customer } of [...all, ...drivers(french)]) expect(issuesOf(customer)).toEqual([]);
  });
});
