import { operation } from '../../platform/http/operation.ts';
import { invalidQuery } from '../../platform/http/query.ts';
import type { Field } from '../../platform/search/field.ts';
import { listQuery, queryPage } from '../../platform/search/list-query.ts';
import { pageResponse } from '../../platform/search/page.ts';
import { type Searchable, search } from '../../platform/search/search.ts';
import type { Dependencies } from '../dependencies.ts';
import { customerColumns, customerFields } from '../users/customer.ts';
import { requireVehicle, vehicleIdParameter } from '../vehicles/vehicle-scope.ts';
import { type DriverRow, DriverSchema, driverOf, exampleDriver } from './driver.ts';

const fields: Field[] = [
  ...customerFields('', 'd'),
  { path: 'addedAt', type: 'date-time', column: 'd.added_at' },
  // A driver is added and removed, and never changed.
  { path: 'updatedAt', type: 'date-time', column: 'd.added_at' },
];

export const listDrivers = operation({
  id: 'listDrivers',
  method: 'GET',
  path: '/{vehicleId}/drivers',
  tag: 'Drivers',
  origin: 'motorpool',
  summary: 'List the drivers of a vehicle',
  description:
    'Returns the drivers of the vehicle that match all filters, in pages; who was added first comes first unless ' +
    'another order is asked for, and customerId decides between equals. `updatedAt`, by which every list can be filtered and sorted, is addedAt.',
  parameters: vehicleIdParameter,
  query: listQuery('Driver', fields),
  responses: {
    200: pageResponse('ListDriversResponse', 'A page of drivers.', DriverSchema, exampleDriver),
  },
  notFound: ['vehicle'],
  async handler({ provider, parameters: { vehicleId }, query }, { db }: Dependencies) {
    const { rows, pagination } = await search<DriverRow>(
      db,
      drivers,
      {
        conditions: ['d.provider = $1', 'd.vehicle_id = $2'],
        values: [provider.id, vehicleId],
      },
      { ...query, page: queryPage(query) },
      invalidQuery,
    );
    if (pagination.totalEntries === 0) await requireVehicle(db, provider, vehicleId);
    return { status: 200, body: { items: rows.map(driverOf), pagination } };
  },
});

const drivers: Searchable = {
  fields,
  columns: `${customerColumns('d')}, d.added_at`,
  from: 'drivers d',
  defaultOrder: ['d.added_at'],
  id: 'd.customer_id, d.customer_country_code, d.customer_provider_code',
};
