import { fieldsOf } from '../../platform/search/field.ts';
import { listAndSearch } from '../../platform/search/list-and-search.ts';
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

export const [listDrivers, findDrivers] = listAndSearch({
  list: {
    id: 'listDrivers',
    summary: 'List the drivers of a vehicle',
    description: 'Returns the drivers of the vehicle, in pages; who was added first comes first.',
    equals: ['mobilityProviderCountryCode', 'mobilityProviderCode'],
  },
  search: {
    id: 'findDrivers',
    summary: 'Find drivers of a vehicle',
    description:
      'Returns the drivers of the vehicle that match all filters, in pages; who was added first comes first unless ' +
      'another order is asked for. customerId decides between equals. `updatedAt`, by which every search can filter ' +
      'and sort, is addedAt.',
    examples: {
      ofProvider: {
        summary: 'Those of a mobility provider, the latest first',
        value: {
          filters: [{ field: 'mobilityProviderCode', value: 'MOB' }],
          sorting: [{ field: 'addedAt', direction: 'desc' }],
        },
      },
    },
  },
  path: '/{vehicleId}/drivers',
  tag: 'Drivers',
  role: 'viewer',
  parameters: vehicleIdParameter,
  searchable: drivers,
  page: pageResponse('ListDriversResponse', 'A page of drivers.', DriverSchema, exampleDriver),
  notFound: ['vehicle'],
  async read({ provider, parameters: { vehicleId }, request }, { db }: Dependencies) {
    const found = await listOfVehicle<DriverRow>(db, drivers, 'd', provider, vehicleId, request);
    return pageBody(found.rows.map(driverOf), found);
  },
});
