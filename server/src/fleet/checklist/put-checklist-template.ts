import { operation } from '../../platform/http/operation.ts';
import { notFound } from '../../platform/http/problem.ts';
import type { Dependencies } from '../dependencies.ts';
import {
  ChecklistTemplateRequestSchema,
  ChecklistTemplateSchema,
  exampleTemplate,
  exampleTemplateRequest,
  keptEntries,
  nameTaken,
  type TemplateRow,
  templateColumns,
  templateIssues,
  templateKey,
  templateOf,
  templateParameter,
  withFreeName,
} from './checklist-template.ts';

export const putChecklistTemplate = operation({
  id: 'putChecklistTemplate',
  method: 'PUT',
  path: '/checklist-templates/{templateId}',
  tag: 'Checklist',
  origin: 'motorpool',
  summary: 'Overwrite a checklist template',
  description: 'Replaces the name and all entries. What was put on vehicles before stays as it is.',
  parameters: templateParameter,
  body: {
    schema: ChecklistTemplateRequestSchema,
    required: true,
    rules: templateIssues,
    examples: { handover: { summary: 'A handover', value: exampleTemplateRequest } },
  },
  responses: {
    200: {
      description: 'The template, overwritten.',
      schema: ChecklistTemplateSchema,
      example: exampleTemplate,
    },
  },
  notFound: ['checklist template'],
  problems: nameTaken,
  async handler({ provider, parameters, body: { name, entries } }, { db }: Dependencies) {
    const kept = keptEntries(entries);
    const values = [...templateKey(provider, parameters.templateId), name, kept];
    const [row] = await withFreeName(
      name,
      db.transaction((tx) => tx.query<TemplateRow>(update, values)),
    );
    if (!row) throw notFound('checklist template');
    return { status: 200, body: templateOf(row) };
  },
});

const update = `
  update checklist_templates t set name = $3, entries = $4, updated_at = now()
  where t.provider = $1 and t.id = $2
  returning ${templateColumns}`;
