import { expect, test } from 'vitest';
import { demoScope } from '../../../testing/demo-scope.ts';
import { demoVehicles } from '../../vehicles/public.ts';
import { inspectionFacts } from './inspection-facts.ts';

const now = new Date('2026-11-15T09:30:00.000Z');
const facts = (['DE', 'FR'] as const)
  .flatMap((country) => demoVehicles(demoScope(country, now)))
  .map((vehicle) => ({ vehicle, ...inspectionFacts(vehicle) }));

test('some vehicles have passed an inspection, after their registration and before their last signal', () => {
  const passed = facts.filter(({ passedOn }) => passedOn !== undefined);
  expect(passed.length).toBeGreaterThan(20);
  expect(passed.length).toBeLessThan(facts.length / 3);
  for (const { vehicle, passedOn = '' } of passed) {
    expect(Date.parse(passedOn), vehicle.asset.id).toBeGreaterThan(vehicle.registeredAt);
    expect(Date.parse(passedOn), vehicle.asset.id).toBeLessThan(vehicle.recorded.last);
  }
});
