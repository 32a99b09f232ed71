import type { Vehicle } from '@motorpool/client';
import { expect, test } from 'vitest';
import { plateIn } from './vehicle-names.ts';

const id = 'DE*ABC*ONE';
const vehicle = { asset: { id }, information: { licensePlate: 'HH-MP 1' } } as Vehicle;
const found = new Map([[id, vehicle]]);

test('no id is shown for a plate that is still to come', () => {
  expect(plateIn(undefined, id, true)).toBe(undefined);
  expect(plateIn(found, 'DE*ABC*TWO', true)).toBe(undefined);
  expect(plateIn(found, id, true)).toBe('HH-MP 1');
});

test('a vehicle that is not found is named by its id', () => {
  expect(plateIn(found, 'DE*ABC*TWO', false)).toBe('DE*ABC*TWO');
  expect(plateIn(undefined, id, false)).toBe(id);
});
