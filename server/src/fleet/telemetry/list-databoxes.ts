import { listAndSearch } from '../../platform/search/list-and-search.ts';
import { pageBody, pageResponse } from '../../platform/search/page.ts';
import { search } from '../../platform/search/search.ts';
import type { Searchable } from '../../platform/search/searchable.ts';
import type { Dependencies } from '../dependencies.ts';
import {
  type DataboxRow,
  DataboxSchema,
  databoxColumns,
  databoxFields,
  databoxOf,
  exampleDatabox,
} from './databox.ts';

const databoxes: Searchable = {
  fields: databoxFields,
  columns: databoxColumns,
  from: 'databoxes d',
  textColumns: ['d.serial', 'd.vehicle_id'],
  id: 'd.serial',
};

export const [listDataboxes, findDataboxes] = listAndSearch({
  list: {
    id: 'listDataboxes',
    summary: 'List the boxes that are paired',
    description: 'Returns the boxes of the asset provider, in pages; by serial.',
    equals: ['vehicleId'],
  },
  search: {
    id: 'findDataboxes',
    summary: 'Find boxes that are paired',
    description:
      'Returns the boxes of the asset provider that match all filters, in pages; by serial unless another order is ' +
      'asked for. A filter without a field looks for text in the serial and in the id of the vehicle.',
    examples: {
      bySerial: {
        summary: 'Those with a part of a serial, the latest pairing first',
        value: {
          filters: [{ field: 'serial', operator: 'startsWith', value: 'BX-' }],
          sorting: [{ field: 'pairedAt', direction: 'desc' }],
        },
      },
    },
  },
  path: '/databoxes',
  tag: 'Databox',
  role: 'viewer',
  parameters: {},
  searchable: databoxes,
  page: pageResponse('ListDataboxesResponse', 'A page of boxes.', DataboxSchema, exampleDatabox),
  notFound: [],
  async read({ provider, request }, { db }: Dependencies) {
    const found = await search<DataboxRow>(
      db,
      databoxes,
      { conditions: ['d.provider = $1'], values: [provider.id] },
      request,
    );
    return pageBody(found.rows.map(databoxOf), found);
  },
});
