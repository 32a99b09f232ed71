import type { ContractSeed } from '../../testing/contract/seed.ts';
import { exampleCustomer } from '../users/public.ts';

const customerIds = [
  exampleCustomer.customerId,
  '7c9e6679-7425-40de-944b-e07fc1f90ae8',
  '7c9e6679-7425-40de-944b-e07fc1f90ae9',
];

export const seed: ContractSeed = {
  needs: ['vehicleId'],
  async create({ round, values: { vehicleId }, call }) {
    const customer = { ...exampleCustomer, customerId: customerIds[round - 1] ?? '' };
    await call('PUT', `/${vehicleId}/drivers`, customer);
    // A customer that all providers have, and that drives another vehicle of some.
    await call('PUT', `/${vehicleId}/drivers`, exampleCustomer);
    return customer;
  },
  requests: {
    findUsers: [{ body: { filters: [{ field: 'vehicles.vehicleId', value: 'DE*ABC*V0002' }] } }],
    addDriver: [{ body: { ...exampleCustomer, mobilityProviderCode: 'NEW' }, status: 201 }],
  },
};
