import type { ContractSeed } from '../../testing/contract/seed.ts';
import { exampleRequest } from './profile.ts';

export const seed: ContractSeed = {
  async create({ call }) {
    // Shorter than the history of the telemetry's seed.
    await call('PUT', '/profile', { ...exampleRequest, positionRetentionDays: 2 });
    return {};
  },
};
