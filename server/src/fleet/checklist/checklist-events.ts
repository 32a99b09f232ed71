import Type from 'typebox';
import { ofVehicle, recordEvents } from '../record-events.ts';
import { ChecklistEntrySchema, exampleEntry } from './checklist-entry.ts';
import { type ChecklistRow, checklistColumns, entryOf } from './checklist-fields.ts';
import {
  ChecklistTemplateSchema,
  exampleTemplate,
  type TemplateRow,
  templateColumns,
  templateOf,
} from './checklist-template.ts';

const { blobs: _, ...properties } = ChecklistEntrySchema.properties;
const { blobs: _files, ...example } = exampleEntry;

export const checklistEvents = recordEvents<ChecklistRow>({
  type: 'checklist-entry',
  name: 'ChecklistEntry',
  description: 'A checklist entry, without its files, which have events of their own.',
  table: 'checklist_entries',
  alias: 'e',
  columns: checklistColumns,
  resource: entryOf,
  subject: ofVehicle('checklist'),
  schema: Type.Object(properties, { additionalProperties: false }),
  example,
});

export const templateEvents = recordEvents<TemplateRow>({
  type: 'checklist-template',
  name: 'ChecklistTemplate',
  description: 'A template of checklists.',
  table: 'checklist_templates',
  alias: 't',
  columns: templateColumns,
  resource: templateOf,
  subject: (id) => `/checklist-templates/${id}`,
  schema: ChecklistTemplateSchema,
  example: exampleTemplate,
});
