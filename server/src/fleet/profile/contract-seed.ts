import type { ContractSeed } from '../../testing/contract/seed.ts';
import { exampleRequest } from './profile.ts';

export const seed: ContractSeed = {
  async create({ call }) {
    await call('PUT', '/profile', exampleRequest);
    return {};
  },
};
