import { etagOf } from '../../platform/http/etag.ts';
import { locationOf } from '../../platform/http/location.ts';
import { operation } from '../../platform/http/operation.ts';
import type { Dependencies } from '../dependencies.ts';
import {
  ChecklistTemplateRequestSchema,
  ChecklistTemplateSchema,
  entriesJson,
  etagHeader,
  exampleTemplate,
  exampleTemplateRequest,
  nameTaken,
  rejectDuplicateName,
  type TemplateRow,
  templateColumns,
  templateIssues,
  templateOf,
} from './checklist-template.ts';

export const createChecklistTemplate = operation({
  id: 'createChecklistTemplate',
  method: 'POST',
  path: '/checklist-templates',
  tag: 'Checklist',
  role: 'editor',
  origin: 'motorpool',
  summary: 'Make a checklist template',
  description: 'Keeps a named list, which can then be put on any vehicle of the asset provider.',
  parameters: {},
  body: {
    schema: ChecklistTemplateRequestSchema,
    required: true,
    rules: templateIssues,
    examples: { handover: { summary: 'A handover', value: exampleTemplateRequest } },
  },
  responses: {
    201: {
      description: 'The template, new.',
      schema: ChecklistTemplateSchema,
      example: exampleTemplate,
      headers: { Location: 'The path of the template.', ...etagHeader },
    },
  },
  notFound: [],
  problems: nameTaken,
  async handler({ provider, body: { name, entries } }, { db, clock }: Dependencies) {
    const values = [provider.id, name, entriesJson(entries), clock.now()];
    const rows = await rejectDuplicateName(
      name,
      db.transaction((tx) => tx.query<TemplateRow>(insertTemplate, values)),
    );
    const [row] = rows as [TemplateRow];
    const location = locationOf(provider, 'checklist-templates', row.id);
    return {
      status: 201,
      headers: { location, etag: etagOf(row.version) },
      body: templateOf(row),
    };
  },
});

const insertTemplate = `
  insert into checklist_templates as t (provider, name, entries, created_at, updated_at)
  values ($1, $2, $3, $4, $4)
  returning ${templateColumns}`;
