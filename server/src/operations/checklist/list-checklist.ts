import Type from 'typebox';
import { operation } from '../../platform/http/operation.ts';
import { invalidQuery } from '../../platform/http/query.ts';
import type { Dependencies } from '../dependencies.ts';
import { listQuery, queryPage } from '../shared/list-query.ts';
import { PaginationSchema } from '../shared/page.ts';
import { type Searchable, search } from '../shared/search.ts';
import { requireVehicle, vehicleIdParameter } from '../shared/vehicle-scope.ts';
import { ChecklistEntrySchema, exampleEntry } from './checklist-entry.ts';
import { type ChecklistRow, checklistColumns, checklistFields } from './checklist-fields.ts';
import { entriesOf } from './checklist-store.ts';

export const listChecklist = operation({
  id: 'listChecklist',
  method: 'GET',
  path: '/{vehicleId}/checklist',
  tag: 'Checklist',
  origin: 'motorpool',
  summary: 'List the checklist of a vehicle',
  description:
    'Returns the entries of the vehicle that match all filters, in pages; in the order of their position unless another ' +
    'order is asked for. A filter on options or on a field of blobs asks whether any of them fits; value can only be ' +
    'asked whether it exists. A filter without a field looks for text in the title and the comment.',
  parameters: vehicleIdParameter,
  query: listQuery('ChecklistEntry', checklistFields),
  responses: {
    200: {
      description: 'A page of entries.',
      schema: Type.Object(
        { items: Type.Array(ChecklistEntrySchema), pagination: PaginationSchema },
        { $id: 'ListChecklistResponse', additionalProperties: false },
      ),
      example: {
        items: [exampleEntry],
        pagination: { pageSize: 100, pageNumber: 0, totalEntries: 1 },
      },
    },
  },
  notFound: ['vehicle'],
  async handler({ provider, parameters: { vehicleId }, query }, { db }: Dependencies) {
    const { rows, pagination } = await search<ChecklistRow>(
      db,
      checklist,
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

const checklist: Searchable = {
  fields: checklistFields,
  columns: checklistColumns,
  from: 'checklist_entries e',
  textColumns: ['e.title', 'e.comment'],
  defaultOrder: ['e.position', 'e.ordinal'],
  id: 'e.id',
};
