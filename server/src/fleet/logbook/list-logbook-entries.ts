import { operation } from '../../platform/http/operation.ts';
import { listQuery } from '../../platform/search/list-query.ts';
import { pageBody, pageResponse } from '../../platform/search/page.ts';
import type { Searchable } from '../../platform/search/searchable.ts';
import type { Dependencies } from '../dependencies.ts';
import { withBlobs } from '../files/public.ts';
import { listOfVehicle, vehicleIdParameter } from '../vehicles/public.ts';
import { exampleEntry, LogbookEntrySchema } from './logbook-entry.ts';
import { entryOf, type LogbookRow, logbookColumns, logbookFields } from './logbook-fields.ts';

const logbook: Searchable = {
  fields: logbookFields,
  columns: logbookColumns,
  from: 'logbook_entries e',
  textColumns: ['e.title', 'e.description'],
  defaultOrder: ['e.date desc', 'e.created_at desc'],
  id: 'e.id',
};

export const listLogbookEntries = operation({
  id: 'listLogbookEntries',
  method: 'GET',
  path: '/{vehicleId}/logbook',
  tag: 'Logbook',
  role: 'viewer',
  origin: 'motorpool',
  summary: 'List the logbook of a vehicle',
  description:
    'Returns the entries of the vehicle that match all filters, in pages; the newest date first unless another ' +
    'order is asked for. A filter on tags or on a field of blobs asks whether any of them fits. A filter without a ' +
    'field looks for text in the title and the description.',
  parameters: vehicleIdParameter,
  query: listQuery('LogbookEntry', logbook),
  responses: {
    200: pageResponse(
      'ListLogbookEntriesResponse',
      'A page of entries.',
      LogbookEntrySchema,
      exampleEntry,
    ),
  },
  notFound: ['vehicle'],
  workload: 'search',
  async handler({ provider, parameters: { vehicleId }, query }, { db }: Dependencies) {
    const found = await listOfVehicle<LogbookRow>(db, logbook, 'e', provider, vehicleId, query);
    const entries = found.rows.map(entryOf);
    const items = await withBlobs(db, provider, 'logbook', entries, found.budget);
    return { status: 200, body: pageBody(items, found) };
  },
});
