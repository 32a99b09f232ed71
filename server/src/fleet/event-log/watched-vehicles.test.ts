import { expect, test } from 'vitest';
import { watchedVehicles } from './watched-vehicles.ts';

const reported = Array.from({ length: 1_000 }, (_, index) => `V${index}`);

test('are those of every list, or all where one watches all', () => {
  const lists = [new Set(['V1', 'V2', 'other']), new Set(['V2', 'V3'])];
  const watchers = lists.map((vehicles) => ({ vehicles }));
  expect(watchedVehicles(watchers, reported)).toEqual(['V1', 'V2', 'V3']);
  expect(watchedVehicles([...watchers, { vehicles: undefined }], reported)).toEqual(reported);
  expect(watchedVehicles([], reported)).toEqual([]);
});

test('each vehicle is looked up once, however many lists there are', () => {
  let lookups = 0;
  class CountedSet extends Set<string> {
    override has(id: string): boolean {
      lookups += 1;
      return super.has(id);
    }
  }
  const watchers = Array.from({ length: 500 }, (_, index) => ({
    vehicles: new CountedSet([`other ${index}`]),
  }));
  expect(watchedVehicles(watchers, reported)).toEqual([]);
  expect(lookups).toBeLessThanOrEqual(reported.length);
});
