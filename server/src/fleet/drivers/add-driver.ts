import { locationOf } from '../../platform/http/location.ts';
import { operation } from '../../platform/http/operation.ts';
import { Problem } from '../../platform/http/problem.ts';
import type { Dependencies } from '../dependencies.ts';
import {
  CustomerSchema,
  customerColumns,
  customerValues,
  exampleCustomer,
} from '../users/public.ts';
import { requireVehicle, vehicleIdParameter } from '../vehicles/public.ts';
import { type DriverRow, DriverSchema, driverOf, exampleDriver } from './driver.ts';

export const addDriver = operation({
  id: 'addDriver',
  method: 'PUT',
  path: '/{vehicleId}/drivers',
  tag: 'Drivers',
  role: 'editor',
  origin: 'interface',
  summary: 'Add a user as a driver of a vehicle',
  description:
    'Adds the customer to the drivers of the vehicle. One who is a driver already stays one, and is answered as ' +
    'first added: it is safe to send the same again, and from several machines at once.',
  parameters: vehicleIdParameter,
  requestHeaders: { 'If-None-Match': '`*` to add the driver alone: 412 when the customer is one.' },
  body: {
    schema: CustomerSchema,
    required: true,
    examples: { customer: { summary: 'A customer', value: exampleCustomer } },
  },
  responses: {
    200: {
      description: 'The driver, who was one already.',
      schema: DriverSchema,
      example: exampleDriver,
    },
    201: {
      description: 'The driver, newly added.',
      schema: DriverSchema,
      example: exampleDriver,
      headers: { Location: 'The path of the driver, by which it is removed.' },
    },
  },
  notFound: ['vehicle'],
  problems: { 412: 'The customer is a driver of the vehicle already, against If-None-Match.' },
  async handler(
    { provider, parameters: { vehicleId }, header, body },
    { db, clock }: Dependencies,
  ) {
    return db.transaction(async (tx) => {
      await requireVehicle(tx, provider, vehicleId, 'for key share');
      const [row] = await tx.query<DriverRow & { added: boolean }>(insertDriver, [
        provider.id,
        vehicleId,
        ...customerValues(body),
        clock.now(),
      ]);
      const driver = row && driverOf(row);
      if (row?.added) {
        const { mobilityProviderCountryCode, mobilityProviderCode, customerId } = body;
        const customer = [mobilityProviderCountryCode, mobilityProviderCode, customerId];
        const location = locationOf(provider, vehicleId, 'drivers', ...customer);
        return { status: 201, headers: { location }, body: driver };
      }
      if (header('if-none-match')?.trim() === '*') {
        throw new Problem(412, 'exists-already', 'It exists already', {
          detail: 'If-None-Match says *, and the customer is a driver of the vehicle.',
        });
      }
      return { status: 200, body: driver };
    });
  },
});

// The update changes nothing: it makes the statement return an existing row.
const insertDriver = `
  insert into drivers as d
    (provider, vehicle_id, customer_country_code, customer_provider_code, customer_id, added_at)
  values ($1, $2, $3, $4, $5, $6)
  on conflict (provider, vehicle_id, customer_country_code, customer_provider_code, customer_id)
    do update set added_at = d.added_at
  returning ${customerColumns('d')}, d.added_at, (d.xmax = 0) as added`;
