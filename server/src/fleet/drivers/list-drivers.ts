import { operation } from '../../platform/http/operation.ts';
import { fieldsOf } from '../../platform/search/field.ts';
import { listQuery } from '../../platform/search/list-query.ts';
import { pageBody, pageResponse } from '../../platform/search/page.ts';
import type { Searchable } from '../../platform/search/searchable.ts';
import type { Dependencies } from '../dependencies.ts';
import { customerColumns, customerFields } from '../users/public.ts';
import { listOfVehicle, vehicleIdParameter } from '../vehicles/public.ts';
import { type DriverRow, DriverSchema, driverOf, exampleDriver } from './driver.ts';

const fields = fieldsOf({
  ...customerFields('', 'd'),
  addedAt: ['date-time', 'd.added_at'],
  // Drivers are added and removed, never updated.
  updatedAt: ['date-time', 'd.added_at'],
});

const drivers: Searchable = {
  fields,
  columns: `${customerColumns('d')}, d.added_at`,
  from: 'drivers d',
  defaultOrder: ['d.added_at'],
  id: 'd.customer_id, d.customer_country_code, d.customer_provider_code',
};

export const listDrivers = operation({
  id: 'listDrivers',
  method: 'GET',
  path: '/{vehicleId}/drivers',
  tag: 'Drivers',
  role: 'viewer',
  origin: 'motorpool',
  summary: 'List the drivers of a vehicle',
  description:
    'Returns the drivers of the vehicle that match all filters, in pages; who was added first comes first unless ' +
    'another order is asked for, and customerId decides between equals. `updatedAt`, by which every list can be filtered and sorted, is addedAt.',
  parameters: vehicleIdParameter,
  query: listQuery('Driver', drivers),
  responses: {
    200: pageResponse('ListDriversResponse', 'A page of drivers.', DriverSchema, exampleDriver),
  },
  notFound: ['vehicle'],
  workload: 'search',
  async handler({ provider, parameters: { vehicleId }, query }, { db }: Dependencies) {
    const found = await listOfVehicle<DriverRow>(db, drivers, 'd', provider, vehicleId, query);
    return { status: 200, body: pageBody(found.rows.map(driverOf), found) };
  },
});
