import type { ContractSeed } from '../../testing/contract/seed.ts';
import { exampleRequest } from './inspection.ts';

export const seed: ContractSeed = {
  needs: ['vehicleId'],
  async create({ values: { vehicleId }, call }) {
    await call('PUT', `/${vehicleId}/inspection`, exampleRequest);
    return {};
  },
};
