import { etagOf } from '../../platform/http/etag.ts';
import { operation } from '../../platform/http/operation.ts';
import { notFound } from '../../platform/http/problem.ts';
import type { Dependencies } from '../dependencies.ts';
import {
  ChecklistTemplateSchema,
  etagHeader,
  exampleTemplate,
  type TemplateRow,
  templateColumns,
  templateKey,
  templateOf,
  templateParameter,
} from './checklist-template.ts';

export const getChecklistTemplate = operation({
  id: 'getChecklistTemplate',
  method: 'GET',
  path: '/checklist-templates/{templateId}',
  tag: 'Checklist',
  role: 'viewer',
  origin: 'motorpool',
  summary: 'Read a checklist template',
  description: 'Returns one template with its entries.',
  parameters: templateParameter,
  responses: {
    200: {
      description: 'The template.',
      schema: ChecklistTemplateSchema,
      example: exampleTemplate,
      headers: etagHeader,
    },
  },
  notFound: ['checklist template'],
  async handler({ provider, parameters: { templateId } }, { db }: Dependencies) {
    const [row] = await db.query<TemplateRow>(selectTemplate, templateKey(provider, templateId));
    if (!row) throw notFound('checklist template');
    return { status: 200, headers: { etag: etagOf(row.version) }, body: templateOf(row) };
  },
});

const selectTemplate = `select ${templateColumns} from checklist_templates t where t.provider = $1 and t.id = $2`;
