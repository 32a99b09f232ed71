import type { ContractSeed } from '../../testing/contract/seed.ts';
import { exampleCustomer } from '../users/public.ts';

export const seed: ContractSeed = {
  needs: ['vehicleId'],
  async create({ values: { vehicleId }, call }) {
    const { customerId } = exampleCustomer;
    await call('PUT', `/${vehicleId}/drivers`, { ...exampleCustomer, mobilityProviderCode: 'ERA' });
    const { id } = await call('DELETE', `/users/DE/ERA/${customerId}`);
    return { erasureId: id };
  },
};
