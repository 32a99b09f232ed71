import type { Vehicle } from '@motorpool/client';
import { expect, test } from 'vitest';
import { tabsOf } from './vehicle-tabs.ts';

const mayCharge = (information: Vehicle['information'], status: Vehicle['status'] = {}) =>
  tabsOf({
    asset: {
      id: 'DE*ABC*1',
      assetProviderCountryCode: 'DE',
      assetProviderCode: 'ABC',
      active: true,
    },
    information,
    status,
  }).some(({ name }) => name === 'charging');

test('a vehicle that is known to have a tank alone has no charging', () => {
  expect(mayCharge({ iceTankCapacity: 66 })).toBe(false);
  expect(mayCharge({ iceTankCapacity: 40, evBatteryCapacity: 13 })).toBe(true);
  expect(mayCharge({ evBatteryCapacity: 77 })).toBe(true);
  expect(mayCharge({})).toBe(true);
  expect(mayCharge({ iceTankCapacity: 40 }, { isPluggedIn: true })).toBe(true);
});
