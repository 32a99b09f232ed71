import { etagOf, requireMatch } from '../../platform/http/etag.ts';
import { operation } from '../../platform/http/operation.ts';
import { notFound } from '../../platform/http/problem.ts';
import type { Dependencies } from '../dependencies.ts';
import { withBlobs } from '../files/public.ts';
import {
  ChecklistEntryRequestSchema,
  ChecklistEntrySchema,
  changedMeanwhile,
  etagHeader,
  exampleEntry,
  exampleRequest,
  ifMatchHeader,
} from './checklist-entry.ts';
import { entryOf } from './checklist-fields.ts';
import { itemIssues } from './checklist-item.ts';
import { entryKey, entryParameters, overwriteEntry } from './checklist-store.ts';

export const putChecklistEntry = operation({
  id: 'putChecklistEntry',
  method: 'PUT',
  path: '/{vehicleId}/checklist/{checklistEntryId}',
  tag: 'Checklist',
  role: 'editor',
  origin: 'motorpool',
  summary: 'Overwrite a checklist entry',
  description:
    'What the body leaves out is cleared; the files of the entry stay, and so does its position when none is named.',
  parameters: entryParameters,
  requestHeaders: ifMatchHeader,
  body: {
    schema: ChecklistEntryRequestSchema,
    required: true,
    rules: (body) => itemIssues(body, ''),
    examples: { answered: { summary: 'An answered entry', value: exampleRequest } },
  },
  responses: {
    200: {
      description: 'The entry, overwritten.',
      schema: ChecklistEntrySchema,
      example: exampleEntry,
      headers: etagHeader,
    },
  },
  notFound: ['vehicle', 'checklist entry'],
  problems: changedMeanwhile,
  async handler({ provider, parameters, header, body }, { db, clock }: Dependencies) {
    const key = entryKey(provider, parameters);
    return db.transaction(async (tx) => {
      const row = await overwriteEntry({ tx, clock }, key, body);
      if (!row) throw notFound('checklist entry');
      requireMatch(header('if-match'), row.version - 1);
      const [entry] = await withBlobs(tx, provider, 'checklist', [entryOf(row)]);
      return { status: 200, headers: { etag: etagOf(row.version) }, body: entry };
    });
  },
});
