import type { ContractSeed } from '../../testing/contract/seed.ts';
import { exampleRequest } from './incident.ts';

export const seed: ContractSeed = {
  needs: ['vehicleId'],
  async create({ values: { vehicleId }, call }) {
    const { id: incidentId } = await call('POST', `/${vehicleId}/incidents`, exampleRequest);
    return { incidentId };
  },
};
