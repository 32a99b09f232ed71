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
    // Drivers of before, so that assignments are found at any moment and without an end.
    const former = { ...customer, mobilityProviderCode: 'OLD' };
    await call('PUT', `/${vehicleId}/drivers`, former);
    await call('DELETE', `/${vehicleId}/drivers/DE/OLD/${former.customerId}`);
    return customer;
  },
  requests: {
    findUsers: [{ body: { filters: [{ field: 'vehicles.vehicleId', value: 'DE*ABC*V0002' }] } }],
    findAssignments: [
      { body: {} },
      { body: { at: '9000-01-01T00:00:00Z' } },
      { body: { filters: [{ field: 'removedAt', operator: 'exists', value: true }] } },
    ],
    addDriver: [{ body: { ...exampleCustomer, mobilityProviderCode: 'NEW' }, status: 201 }],
  },
};
