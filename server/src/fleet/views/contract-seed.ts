import type { ContractSeed } from '../../testing/contract/seed.ts';

export const seed: ContractSeed = {
  async create({ round, call }) {
    // Names are unique; that of the example is left to the example.
    const view = { name: `Vans ${round}`, columns: ['plate', 'model'], searchText: 'vans' };
    const { id: viewId } = await call('POST', '/saved-views', view);
    return { viewId };
  },
};
