import { listAndSearch } from '../../platform/search/list-and-search.ts';
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

export const [listLogbookEntries, findLogbookEntries] = listAndSearch({
  list: {
    id: 'listLogbookEntries',
    summary: 'List the logbook of a vehicle',
    description: 'Returns the entries of the vehicle, in pages; the newest date first.',
    equals: ['category'],
  },
  search: {
    id: 'findLogbookEntries',
    summary: 'Find logbook entries of a vehicle',
    description:
      'Returns the entries of the vehicle that match all filters, in pages; the newest date first unless another order ' +
      'is asked for. A filter on tags or on a field of blobs asks whether any of them fits. A filter without a field ' +
      'looks for text in the title and the description.',
    examples: {
      costs: {
        summary: 'What cost more than 100, the most expensive first',
        value: {
          filters: [{ field: 'cost.amount', operator: 'gte', value: 10000 }],
          sorting: [{ field: 'cost.amount', direction: 'desc' }],
        },
      },
    },
  },
  path: '/{vehicleId}/logbook',
  tag: 'Logbook',
  role: 'viewer',
  parameters: vehicleIdParameter,
  searchable: logbook,
  page: pageResponse(
    'ListLogbookEntriesResponse',
    'A page of entries.',
    LogbookEntrySchema,
    exampleEntry,
  ),
  notFound: ['vehicle'],
  async read({ provider, parameters: { vehicleId }, request }, { db }: Dependencies) {
    const found = await listOfVehicle<LogbookRow>(db, logbook, 'e', provider, vehicleId, request);
    const entries = found.rows.map(entryOf);
    const items = await withBlobs(db, provider, 'logbook', entries, found.budget);
    return pageBody(items, found);
  },
});
