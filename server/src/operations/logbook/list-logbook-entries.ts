import Type from 'typebox';
import { operation } from '../../platform/http/operation.ts';
import { invalidQuery } from '../../platform/http/query.ts';
import type { Dependencies } from '../dependencies.ts';
import { listQuery, queryPage } from '../shared/list-query.ts';
import { PaginationSchema } from '../shared/page.ts';
import { type Searchable, search } from '../shared/search.ts';
import { requireVehicle, vehicleIdParameter } from '../shared/vehicle-scope.ts';
import { exampleEntry, LogbookEntrySchema } from './logbook-entry.ts';
import { type LogbookRow, logbookColumns, logbookFields } from './logbook-fields.ts';
import { entriesOf } from './logbook-store.ts';

export const listLogbookEntries = operation({
  id: 'listLogbookEntries',
  method: 'GET',
  path: '/{vehicleId}/logbook',
  tag: 'Logbook',
  origin: 'motorpool',
  summary: 'List the logbook of a vehicle',
  description:
    'Returns the entries of the vehicle that match all filters, in pages; the newest date first unless another ' +
    'order is asked for. A filter on tags or on a field of blobs asks whether any of them fits. A filter without a ' +
    'field looks for text in the title and the description.',
  parameters: vehicleIdParameter,
  query: listQuery('LogbookEntry', logbookFields),
  responses: {
    200: {
      description: 'A page of entries.',
      schema: Type.Object(
        { items: Type.Array(LogbookEntrySchema), pagination: PaginationSchema },
        { $id: 'ListLogbookEntriesResponse', additionalProperties: false },
      ),
      example: {
        items: [exampleEntry],
        pagination: { pageSize: 100, pageNumber: 0, totalEntries: 1 },
      },
    },
  },
  notFound: ['vehicle'],
  async handler({ provider, parameters: { vehicleId }, query }, { db }: Dependencies) {
    const { rows, pagination } = await search<LogbookRow>(
      db,
      logbook,
      {
        conditions: ['e.provider = $1', 'e.vehicle_id = $2'],
        values: [provider.id, vehicleId],
      },
      { ...query, page: queryPage(query) },
      invalidQuery,
    );
    if (pagination.totalEntries === 0) await requireVehicle(db, provider, vehicleId);
    return { status: 200, body: { items: await entriesOf(db, provider, rows), pagination } };
  },
});

const logbook: Searchable = {
  fields: logbookFields,
  columns: logbookColumns,
  from: 'logbook_entries e',
  textColumns: ['e.title', 'e.description'],
  defaultOrder: ['e.date desc', 'e.created_at desc'],
  id: 'e.id',
};
