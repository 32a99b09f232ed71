import { operation } from '../../platform/http/operation.ts';
import { notFound } from '../../platform/http/problem.ts';
import { requireUuid } from '../../platform/http/require-uuid.ts';
import type { Dependencies } from '../dependencies.ts';
import { customerParameters } from '../users/public.ts';
import { heldOffDeletion, vehicleIdParameter } from '../vehicles/public.ts';

export const removeDriver = operation({
  id: 'removeDriver',
  method: 'DELETE',
  path: '/{vehicleId}/drivers/{mobilityProviderCountryCode}/{mobilityProviderCode}/{customerId}',
  tag: 'Drivers',
  role: 'editor',
  origin: 'motorpool',
  summary: 'Remove a driver of a vehicle',
  description:
    'Removes the customer from the drivers of the vehicle, which closes the assignment. A second call answers 404. Who is ' +
    'added again is a new driver.',
  parameters: { ...vehicleIdParameter, ...customerParameters },
  responses: { 204: { description: 'The customer drives the vehicle no longer.' } },
  notFound: ['vehicle', 'driver'],
  async handler({ provider, parameters }, { db, clock }: Dependencies) {
    const { vehicleId, mobilityProviderCountryCode, mobilityProviderCode, customerId } = parameters;
    const removed = await db.query(closeAssignment, [
      provider.id,
      vehicleId,
      mobilityProviderCountryCode,
      mobilityProviderCode,
      requireUuid(customerId, 'driver'),
      clock.now(),
    ]);
    if (removed.length === 0) throw notFound('driver');
    return { status: 204 };
  },
});

// The vehicle is locked first, as by its deletion. A clock that was set back must not end a period before its begin.
const closeAssignment = `
  with vehicle as (
    select 1 from vehicles where provider = $1 and id = $2 and ${heldOffDeletion('$1', '$2::text')} for key share
  ), removed as (
    delete from drivers d using vehicle
    where d.provider = $1 and d.vehicle_id = $2
      and d.customer_country_code = $3 and d.customer_provider_code = $4 and d.customer_id = $5
    returning d.*
  )
  insert into past_assignments (
    provider, vehicle_id, customer_country_code, customer_provider_code, customer_id, added_at, removed_at
  )
  select provider, vehicle_id, customer_country_code, customer_provider_code, customer_id, added_at, greatest(added_at, $6)
  from removed
  returning 1`;
