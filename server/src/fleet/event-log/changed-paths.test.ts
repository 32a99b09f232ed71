import fc from 'fast-check';
import { expect, test } from 'vitest';
import { changedPaths } from './changed-paths.ts';

const damage = { position: 'roof', severity: 'light' };
const incident = { title: 'Hail', damages: [damage, damage], vehicle: { mileage: 1, plate: null } };

test.each([
  ['nothing', {}, []],
  ['a member of an object within', { vehicle: { mileage: 2, plate: null } }, ['vehicle.mileage']],
  ['null for nothing', { notes: null }, ['notes']],
  ['a member of an element', { damages: [damage, { ...damage, repaired: true }] }, ['damages']],
  ['the order of an array', { damages: [{ ...damage, severity: 'heavy' }, damage] }, ['damages']],
  ['an object in place of an array', { damages: { 0: damage, 1: damage } }, ['damages']],
  ['the time of the change alone', { updatedAt: '2026-01-01T00:00:00Z' }, []],
])('of what changes %s, each path is named', (_what, change, paths) => {
  expect(changedPaths(incident, { ...incident, ...change })).toEqual(paths);
});

test('something is named when the JSON of the two is not the same', () => {
  const sorted = (value: unknown): unknown =>
    value instanceof Object && !Array.isArray(value)
      ? Object.fromEntries(
          Object.entries(value)
            .sort(([name], [other]) => (name < other ? -1 : 1))
            .map(([name, of]) => [name, sorted(of)]),
        )
      : Array.isArray(value)
        ? value.map(sorted)
        : value;
  const resource = fc.dictionary(fc.constantFrom('a', 'b', 'c'), fc.jsonValue({ maxDepth: 2 }));
  fc.assert(
    fc.property(resource, resource, (before, after) => {
      const isSame = JSON.stringify(sorted(before)) === JSON.stringify(sorted(after));
      expect(changedPaths(before, after).length === 0).toBe(isSame);
      expect(changedPaths(before, structuredClone(before))).toEqual([]);
    }),
  );
});
