import { etagOf } from '../../platform/http/etag.ts';
import { operation } from '../../platform/http/operation.ts';
import { notFound } from '../../platform/http/problem.ts';
import type { Dependencies } from '../dependencies.ts';
import { withBlobs } from '../files/public.ts';
import { ChecklistEntrySchema, etagHeader, exampleEntry } from './checklist-entry.ts';
import { type ChecklistRow, checklistColumns, entryOf } from './checklist-fields.ts';
import { entryKey, entryParameters } from './checklist-store.ts';

export const getChecklistEntry = operation({
  id: 'getChecklistEntry',
  method: 'GET',
  path: '/{vehicleId}/checklist/{checklistEntryId}',
  tag: 'Checklist',
  role: 'viewer',
  origin: 'motorpool',
  summary: 'Read a checklist entry',
  description: 'Returns one entry of the vehicle, with its files.',
  parameters: entryParameters,
  responses: {
    200: {
      description: 'The entry.',
      schema: ChecklistEntrySchema,
      example: exampleEntry,
      headers: etagHeader,
    },
  },
  notFound: ['vehicle', 'checklist entry'],
  async handler({ provider, parameters }, { db }: Dependencies) {
    const [row] = await db.query<ChecklistRow>(selectEntry, entryKey(provider, parameters));
    if (!row) throw notFound('checklist entry');
    const [entry] = await withBlobs(db, provider, 'checklist', [entryOf(row)]);
    return { status: 200, headers: { etag: etagOf(row.version) }, body: entry };
  },
});

const selectEntry = `
  select ${checklistColumns} from checklist_entries e
  where e.provider = $1 and e.vehicle_id = $2 and e.id = $3`;
