import { operation } from '../../platform/http/operation.ts';
import { notFound } from '../../platform/http/problem.ts';
import type { Dependencies } from '../dependencies.ts';
import {
  ChecklistEntryRequestSchema,
  ChecklistEntrySchema,
  exampleEntry,
  exampleRequest,
} from './checklist-entry.ts';
import { itemIssues } from './checklist-item.ts';
import { entryKey, entryParameters, overwriteEntry } from './checklist-store.ts';

export const putChecklistEntry = operation({
  id: 'putChecklistEntry',
  method: 'PUT',
  path: '/{vehicleId}/checklist/{checklistEntryId}',
  tag: 'Checklist',
  origin: 'motorpool',
  summary: 'Overwrite a checklist entry',
  description:
    'What the body leaves out is cleared; the files of the entry stay, and so does its position when none is named.',
  parameters: entryParameters,
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
    },
  },
  notFound: ['vehicle', 'checklist entry'],
  async handler({ provider, parameters, body }, { db }: Dependencies) {
    const key = entryKey(provider, parameters);
    const entry = await db.transaction((tx) => overwriteEntry(tx, provider, key, body));
    if (!entry) throw notFound('checklist entry');
    return { status: 200, body: entry };
  },
});
