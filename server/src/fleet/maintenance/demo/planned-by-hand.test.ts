import { expect, test } from 'vitest';
import { demoScope } from '../../../testing/demo-scope.ts';
import { plannedByHand } from './planned-by-hand.ts';

const now = new Date('2026-11-15T09:30:00.000Z');
const planned = plannedByHand(demoScope('DE', now));

test('every plan is for a vehicle in service of its own that it can be for', () => {
  expect(planned).toHaveLength(12);
  expect(new Set(planned.map(({ vehicle }) => vehicle)).size).toBe(12);
  for (const { vehicle, entry } of planned) {
    const { iceTankCapacity } = vehicle.information;
    expect(vehicle.asset.active, entry.title).toBe(true);
    if (/gearbox oil|timing belt|spark plugs/.test(entry.title)) {
      expect(iceTankCapacity, entry.title).toBeDefined();
    }
    if (/lashing points/.test(entry.title)) expect(vehicle.isVan).toBe(true);
  }
});

test('some plans are overdue by date or by odometer, and others lie ahead', () => {
  const overdue = planned.filter(
    ({ vehicle, entry: { dueDate = '9999', dueOdometer = Number.POSITIVE_INFINITY } }) =>
      dueDate < '2026-11-15' || dueOdometer < (vehicle.status.odometer ?? 0),
  );
  expect(overdue).toHaveLength(3);
});
