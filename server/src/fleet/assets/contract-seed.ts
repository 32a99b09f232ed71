import type { ContractSeed } from '../../testing/contract/seed.ts';
import { putVehicleImage } from './put-vehicle-image.ts';

export const seed: ContractSeed = {
  needs: ['vehicleId'],
  async create({ provider: { countryCode, code }, round, values, call }) {
    // A second image of the same vehicle would take the bytes of the first along.
    if (round !== 2)
      await call('PUT', `/${values.vehicleId}/image`, putVehicleImage.upload?.example);
    // The others have one of a vehicle of which the provider has none.
    if (round === 3)
      await call('PUT', `/${countryCode}*${code}*V0003/image`, putVehicleImage.upload?.example);
    return {};
  },
  requests: {
    putVehicleImage: [
      {
        values: { vehicleId: 'DE*ABC*V0003' },
        body: putVehicleImage.upload?.example,
        status: 201,
      },
    ],
    getVehicleImage: [
      { query: '?width=320', headers: { accept: 'image/avif' } },
      { headers: { 'if-none-match': '*' }, status: 304 },
    ],
    patchVehicleAsset: [{ values: { vehicleId: 'DE*ABC*V0003' }, body: { active: false } }],
  },
};
