import type { ContractSeed } from '../../testing/contract/seed.ts';
import { exampleVehicle } from './example-vehicle.ts';

const { information } = exampleVehicle;
const withVin = (number: number) => ({ ...information, vin: `WVWZZZE1ZNP01234${number}` });
const byOdometer = (direction: string, pageSize = 100) => ({
  body: { sorting: [{ field: 'status.odometer', direction }], pagination: { pageSize } },
});

export const seed: ContractSeed = {
  async create({ provider: { countryCode, code }, round, call }) {
    const id = (number: number) => `${countryCode}*${code}*V000${number}`;
    const vehicleId = id(round === 3 ? 2 : 1);
    await call('PUT', `/${vehicleId}`, { asset: { active: true }, information: withVin(round) });
    // Two more, without what the first has: one without telemetry, and one whose positions are not stored.
    await call('PUT', `/${id(3)}`, { information: withVin(4) });
    await call('PUT', `/${id(4)}`, { information: { ...withVin(6), trackGeolocation: false } });
    return { vehicleId };
  },
  requests: {
    findVehicles: [
      { body: { searchText: 'id.3' } },
      { body: { searchText: 'wvwzzze' } },
      { body: { searchText: 'vw wvw-zzz', searchMode: 'words' } },
      { body: { searchText: 'vw wvwzzze', searchMode: 'words' } },
      { body: { searchText: 'wvwzzze', pagination: { pageNumber: 1, pageSize: 1 } } },
      { body: { filters: [{ field: 'status.odometer', operator: 'gte', value: 1 }] } },
      // The smaller page first: its total is cached for the other.
      byOdometer('asc', 1),
      byOdometer('asc'),
      byOdometer('desc', 1),
      byOdometer('desc'),
    ],
    putVehicle: [
      { body: { information: { ...information, trackGeolocation: false } } },
      {
        values: { vehicleId: 'DE*ABC*V0003' },
        body: { information: { ...withVin(4), trackGeolocation: false } },
      },
      { values: { vehicleId: 'DE*ABC*V0004' }, body: { information: withVin(6) } },
      { values: { vehicleId: 'DE*ABC*V0009' }, body: { information: withVin(9) }, status: 201 },
    ],
  },
};
