import type { Vehicle } from '@motorpool/client';
import { expect, test } from 'vitest';
import { stateOf } from './vehicle-state.tsx';

const now = Date.parse('2027-03-10T08:00:00Z');
const stateWith = (status: Vehicle['status']) =>
  stateOf(
    {
      asset: {
        id: 'DE*ABC*1',
        assetProviderCountryCode: 'DE',
        assetProviderCode: 'ABC',
        active: true,
      },
      information: {},
      status,
    },
    now,
  );

test('who drives is driving as long as it is heard of', () => {
  const driving = (lastUpdated: string) => stateWith({ lastUpdated, engineActive: true });
  expect(driving('2027-03-10T07:50:00Z')).toBe('driving');
  expect(driving('2027-03-10T07:20:00Z')).toBe('unheard');
  expect(driving('2027-03-08T07:20:00Z')).toBe('silent');
});

test('what charges is charging as long as its level could have been heard of', () => {
  const charging = (lastUpdated: string) => stateWith({ lastUpdated, isCharging: true });
  expect(charging('2027-03-10T06:30:00Z')).toBe('charging');
  expect(charging('2027-03-10T05:30:00Z')).toBe('unheard');
  expect(charging('2027-03-08T07:20:00Z')).toBe('silent');
});
