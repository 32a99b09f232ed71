import { applyChecklistTemplate } from './apply-checklist-template.ts';
import { createChecklistEntry } from './create-checklist-entry.ts';
import { createChecklistTemplate } from './create-checklist-template.ts';
import { deleteChecklistEntry } from './delete-checklist-entry.ts';
import { deleteChecklistTemplate } from './delete-checklist-template.ts';
import { getChecklistEntry } from './get-checklist-entry.ts';
import { getChecklistTemplate } from './get-checklist-template.ts';
import { listChecklist } from './list-checklist.ts';
import { listChecklistTemplates } from './list-checklist-templates.ts';
import { putChecklistEntry } from './put-checklist-entry.ts';
import { putChecklistTemplate } from './put-checklist-template.ts';

export const checklistOperations = [
  listChecklist,
  createChecklistEntry,
  getChecklistEntry,
  putChecklistEntry,
  deleteChecklistEntry,
  listChecklistTemplates,
  createChecklistTemplate,
  getChecklistTemplate,
  putChecklistTemplate,
  deleteChecklistTemplate,
  applyChecklistTemplate,
];
