import { operation } from '../../platform/http/operation.ts';
import { listQuery } from '../../platform/search/list-query.ts';
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

export const listDataboxes = operation({
  id: 'listDataboxes',
  method: 'GET',
  path: '/databoxes',
  tag: 'Databox',
  role: 'viewer',
  origin: 'motorpool',
  summary: 'List the boxes that are paired',
  description:
    'Returns the boxes of the asset provider that match all filters, in pages; by serial unless another order is ' +
    'asked for. A filter without a field looks for text in the serial and in the id of the vehicle.',
  parameters: {},
  query: listQuery('Databox', databoxes),
  responses: {
    200: pageResponse('ListDataboxesResponse', 'A page of boxes.', DataboxSchema, exampleDatabox),
  },
  notFound: [],
  workload: 'search',
  async handler({ provider, query }, { db }: Dependencies) {
    const found = await search<DataboxRow>(
      db,
      databoxes,
      { conditions: ['d.provider = $1'], values: [provider.id] },
      query,
    );
    return { status: 200, body: pageBody(found.rows.map(databoxOf), found) };
  },
});
