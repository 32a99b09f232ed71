import type { Vehicle } from '@motorpool/client';
import { expect, test } from 'vitest';
import { stateOf } from './vehicle-state.tsx';

const now = Date.parse('2027-03-10T08:00:00Z');
const driving = (lastUpdated: string): Vehicle => ({
  asset: { id: 'DE*ABC*1', assetProviderCountryCode: 'DE', assetProviderCode: 'ABC', active: true },
  information: {},
  status: { lastUpdated, engineActive: true },
});

test('who drives is driving as long as it is heard of', () => {
  expect(stateOf(driving('2027-03-10T07:50:00Z'), now)).toBe('driving');
  expect(stateOf(driving('2027-03-10T07:20:00Z'), now)).toBe('unheard');
  expect(stateOf(driving('2027-03-08T07:20:00Z'), now)).toBe('silent');
});
