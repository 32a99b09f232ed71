import { etagOf, requireMatch } from '../../platform/http/etag.ts';
import { operation } from '../../platform/http/operation.ts';
import { notFound } from '../../platform/http/problem.ts';
import type { Dependencies } from '../dependencies.ts';
import {
  ChecklistTemplateRequestSchema,
  ChecklistTemplateSchema,
  changedMeanwhile,
  entriesJson,
  etagHeader,
  exampleTemplate,
  exampleTemplateRequest,
  ifMatchHeader,
  nameTaken,
  rejectDuplicateName,
  type TemplateRow,
  templateColumns,
  templateIssues,
  templateKey,
  templateOf,
  templateParameter,
} from './checklist-template.ts';

export const putChecklistTemplate = operation({
  id: 'putChecklistTemplate',
  method: 'PUT',
  path: '/checklist-templates/{templateId}',
  tag: 'Checklist',
  role: 'editor',
  origin: 'motorpool',
  summary: 'Overwrite a checklist template',
  description: 'Replaces the name and all entries. What was put on vehicles before stays as it is.',
  parameters: templateParameter,
  requestHeaders: ifMatchHeader,
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
      headers: etagHeader,
    },
  },
  notFound: ['checklist template'],
  problems: { ...changedMeanwhile, ...nameTaken },
  async handler(
    { provider, parameters, header, body: { name, entries } },
    { db, clock }: Dependencies,
  ) {
    const key = templateKey(provider, parameters.templateId);
    const values = [...key, name, entriesJson(entries), clock.now()];
    const overwrite = db.transaction(async (tx) => {
      const [row] = await tx.query<TemplateRow>(updateTemplate, values);
      if (!row) throw notFound('checklist template');
      requireMatch(header('if-match'), row.version - 1);
      return row;
    });
    const row = await rejectDuplicateName(name, overwrite);
    return { status: 200, headers: { etag: etagOf(row.version) }, body: templateOf(row) };
  },
});

const updateTemplate = `
  update checklist_templates t
  set version = version + 1, updated_at = $5, name = $3, entries = $4
  where t.provider = $1 and t.id = $2
  returning ${templateColumns}`;
