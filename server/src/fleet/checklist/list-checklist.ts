import { listAndSearch } from '../../platform/search/list-and-search.ts';
import { pageBody, pageResponse } from '../../platform/search/page.ts';
import type { Searchable } from '../../platform/search/searchable.ts';
import type { Dependencies } from '../dependencies.ts';
import { withBlobs } from '../files/public.ts';
import { listOfVehicle, vehicleIdParameter } from '../vehicles/public.ts';
import { ChecklistEntrySchema, exampleEntry } from './checklist-entry.ts';
import {
  type ChecklistRow,
  checklistColumns,
  checklistFields,
  entryOf,
} from './checklist-fields.ts';

const checklist: Searchable = {
  fields: checklistFields,
  columns: checklistColumns,
  from: 'checklist_entries e',
  textColumns: ['e.title', 'e.comment'],
  defaultOrder: ['e.position', 'e.ordinal'],
  id: 'e.id',
};

export const [listChecklist, findChecklistEntries] = listAndSearch({
  list: {
    id: 'listChecklist',
    summary: 'List the checklist of a vehicle',
    description: 'Returns the entries of the vehicle, in pages; in the order of their position.',
    equals: ['type', 'result'],
  },
  search: {
    id: 'findChecklistEntries',
    summary: 'Find checklist entries of a vehicle',
    description:
      'Returns the entries of the vehicle that match all filters, in pages; in the order of their position unless ' +
      'another order is asked for. A filter on options or on a field of blobs asks whether any of them fits; value can ' +
      'only be asked whether it exists. A filter without a field looks for text in the title and the comment.',
    examples: {
      open: {
        summary: 'Those without a result, the latest change first',
        value: {
          filters: [{ field: 'result', operator: 'exists', value: false }],
          sorting: [{ field: 'updatedAt', direction: 'desc' }],
        },
      },
    },
  },
  path: '/{vehicleId}/checklist',
  tag: 'Checklist',
  role: 'viewer',
  parameters: vehicleIdParameter,
  searchable: checklist,
  page: pageResponse(
    'ListChecklistResponse',
    'A page of entries.',
    ChecklistEntrySchema,
    exampleEntry,
  ),
  notFound: ['vehicle'],
  async read({ provider, parameters: { vehicleId }, request }, { db }: Dependencies) {
    const found = await listOfVehicle<ChecklistRow>(
      db,
      checklist,
      'e',
      provider,
      vehicleId,
      request,
    );
    const entries = found.rows.map(entryOf);
    const items = await withBlobs(db, provider, 'checklist', entries, found.budget);
    return pageBody(items, found);
  },
});
