import type { Module } from '../module.ts';
import { applyChecklistTemplate } from './apply-checklist-template.ts';
import { exampleEntry } from './checklist-entry.ts';
import { checklistEvents, templateEvents } from './checklist-events.ts';
import { createChecklistEntry } from './create-checklist-entry.ts';
import { createChecklistTemplate } from './create-checklist-template.ts';
import { customerChecklist } from './customer-data.ts';
import { deleteChecklistEntry } from './delete-checklist-entry.ts';
import { deleteChecklistTemplate } from './delete-checklist-template.ts';
import { seedChecklist } from './demo/seed-checklist.ts';
import { getChecklistEntry } from './get-checklist-entry.ts';
import { getChecklistTemplate } from './get-checklist-template.ts';
import { findChecklistEntries, listChecklist } from './list-checklist.ts';
import { findChecklistTemplates, listChecklistTemplates } from './list-checklist-templates.ts';
import { putChecklistEntry } from './put-checklist-entry.ts';
import { putChecklistTemplate } from './put-checklist-template.ts';

export const checklist: Module = {
  name: 'checklist',
  tag: {
    name: 'Checklist',
    description: 'What is to be checked on a vehicle, and templates of such lists.',
  },
  operations: [
    listChecklist,
    findChecklistEntries,
    createChecklistEntry,
    getChecklistEntry,
    putChecklistEntry,
    deleteChecklistEntry,
    listChecklistTemplates,
    findChecklistTemplates,
    createChecklistTemplate,
    getChecklistTemplate,
    putChecklistTemplate,
    deleteChecklistTemplate,
    applyChecklistTemplate,
  ],
  recordEvents: [checklistEvents, templateEvents],
  files: {
    segment: 'checklist',
    name: 'Checklist',
    noun: 'checklist entry',
    phrase: 'a checklist entry',
    parameter: 'checklistEntryId',
    exampleId: exampleEntry.id,
    table: 'checklist_entries',
  },
  customerData: customerChecklist,
  demo: seedChecklist,
};
