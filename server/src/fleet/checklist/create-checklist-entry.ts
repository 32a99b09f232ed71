import { locationOf } from '../../platform/http/location.ts';
import { operation } from '../../platform/http/operation.ts';
import type { Dependencies } from '../dependencies.ts';
import { vehicleIdParameter } from '../vehicles/public.ts';
import {
  ChecklistEntryRequestSchema,
  ChecklistEntrySchema,
  exampleEntry,
  exampleRequest,
} from './checklist-entry.ts';
import { itemIssues } from './checklist-item.ts';
import { addEntries } from './checklist-store.ts';

export const createChecklistEntry = operation({
  id: 'createChecklistEntry',
  method: 'POST',
  path: '/{vehicleId}/checklist',
  tag: 'Checklist',
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
      headers: { Location: 'The path of the entry.' },
    },
  },
  notFound: ['vehicle'],
  async handler({ provider, parameters: { vehicleId }, body }, { db }: Dependencies) {
    const [entry] = await db.transaction((tx) => addEntries(tx, provider, vehicleId, [body]));
    return {
      status: 201,
      headers: { location: locationOf(provider, vehicleId, 'checklist', entry?.id ?? '') },
      body: entry,
    };
  },
});
