import { etagOf } from '../../platform/http/etag.ts';
import { locationOf } from '../../platform/http/location.ts';
import { operation } from '../../platform/http/operation.ts';
import type { Dependencies } from '../dependencies.ts';
import { vehicleIdParameter } from '../vehicles/public.ts';
import {
  ChecklistEntryRequestSchema,
  ChecklistEntrySchema,
  etagHeader,
  exampleEntry,
  exampleRequest,
  tooManyEntries,
} from './checklist-entry.ts';
import { type ChecklistRow, entryOf } from './checklist-fields.ts';
import { itemIssues } from './checklist-item.ts';
import { addEntries } from './checklist-store.ts';

export const createChecklistEntry = operation({
  id: 'createChecklistEntry',
  method: 'POST',
  path: '/{vehicleId}/checklist',
  tag: 'Checklist',
  role: 'editor',
  origin: 'motorpool',
  summary: 'Put an entry on the checklist of a vehicle',
  description:
    'Adds an entry, answered or still to be answered; at the end of the list when it names no position. ' +
    'Its files are announced and uploaded afterwards.',
  parameters: vehicleIdParameter,
  body: {
    schema: ChecklistEntryRequestSchema,
    required: true,
    rules: (body) => itemIssues(body, ''),
    examples: {
      answered: { summary: 'An answered entry', value: exampleRequest },
      open: {
        summary: 'One that is to be answered',
        value: { title: 'First-aid kit in the car', type: 'check', required: true },
      },
    },
  },
  responses: {
    201: {
      description: 'The entry, new.',
      schema: ChecklistEntrySchema,
      example: { ...exampleEntry, blobs: undefined },
      headers: { Location: 'The path of the entry.', ...etagHeader },
    },
  },
  notFound: ['vehicle'],
  problems: tooManyEntries,
  async handler({ provider, parameters: { vehicleId }, body }, { db, clock }: Dependencies) {
    const rows = await db.transaction((tx) =>
      addEntries({ tx, clock }, provider, vehicleId, [body]),
    );
    const [row] = rows as [ChecklistRow];
    const location = locationOf(provider, vehicleId, 'checklist', row.id);
    return {
      status: 201,
      headers: { location, etag: etagOf(row.version) },
      body: entryOf(row),
    };
  },
});
