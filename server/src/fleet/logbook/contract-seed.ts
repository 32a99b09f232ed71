import type { ContractSeed } from '../../testing/contract/seed.ts';
import { exampleRequest } from './logbook-entry.ts';

export const seed: ContractSeed = {
  needs: ['vehicleId'],
  async create({ values: { vehicleId }, call }) {
    const { id } = await call('POST', `/${vehicleId}/logbook`, exampleRequest);
    return { logbookEntryId: id };
  },
};
