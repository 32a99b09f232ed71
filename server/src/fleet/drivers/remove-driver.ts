import { operation } from '../../platform/http/operation.ts';
import { notFound } from '../../platform/http/problem.ts';
import { requireUuid } from '../../platform/http/require-uuid.ts';
import type { Dependencies } from '../dependencies.ts';
import { exampleCustomer } from '../users/public.ts';
import { vehicleIdParameter } from '../vehicles/public.ts';

export const removeDriver = operation({
  id: 'removeDriver',
  method: 'DELETE',
  path: '/{vehicleId}/drivers/{mobilityProviderCountryCode}/{mobilityProviderCode}/{customerId}',
  tag: 'Drivers',
  role: 'editor',
  origin: 'motorpool',
  summary: 'Remove a driver of a vehicle',
  description:
    'Removes the customer from the drivers of the vehicle. A second call answers 404. Who is added again is a new driver.',
  parameters: {
    ...vehicleIdParameter,
    mobilityProviderCountryCode: {
      description: 'Country code of the mobility provider, as it was added: DE is not de.',
      example: exampleCustomer.mobilityProviderCountryCode,
    },
    mobilityProviderCode: {
      description: 'Code of the mobility provider, as it was added.',
      example: exampleCustomer.mobilityProviderCode,
    },
    customerId: { description: 'The UUID of the customer.', example: exampleCustomer.customerId },
  },
  responses: { 204: { description: 'The customer drives the vehicle no longer.' } },
  notFound: ['vehicle', 'driver'],
  async handler({ provider, parameters }, { db }: Dependencies) {
    const { vehicleId, mobilityProviderCountryCode, mobilityProviderCode, customerId } = parameters;
    const removed = await db.query(deleteDriver, [
      provider.id,
      vehicleId,
      mobilityProviderCountryCode,
      mobilityProviderCode,
      requireUuid(customerId, 'driver'),
    ]);
    if (removed.length === 0) throw notFound('driver');
    return { status: 204 };
  },
});

const deleteDriver = `
  delete from drivers
  where provider = $1 and vehicle_id = $2
    and customer_country_code = $3 and customer_provider_code = $4 and customer_id = $5
  returning 1`;
