import type { ContractSeed } from '../../testing/contract/seed.ts';
import { exampleVehicle } from './example-vehicle.ts';

const { information } = exampleVehicle;
const byOdometer = (direction: string) => ({
  body: { sorting: [{ field: 'status.odometer', direction }] },
});

export const seed: ContractSeed = {
  async create({ provider: { countryCode, code }, round, call }) {
    const id = (number: number) => `${countryCode}*${code}*V000${number}`;
    const vehicleId = id(round === 3 ? 2 : 1);
    await call('PUT', `/${vehicleId}`, { asset: { active: true }, information });
    // Another one, for whatever the first must not have.
    await call('PUT', `/${id(3)}`, { information });
    return { vehicleId };
  },
  requests: {
    findVehicles: [
      { body: { searchText: 'id.3' } },
      { body: { searchText: 'VW' } },
      { body: { filters: [{ field: 'status.odometer', operator: 'gte', value: 1 }] } },
      byOdometer('asc'),
      byOdometer('desc'),
    ],
    putVehicle: [
      { body: { information: { ...information, trackGeolocation: false } } },
      { values: { vehicleId: 'DE*ABC*V0009' }, body: { information }, status: 201 },
    ],
  },
};
