import { requireMatch } from '../../platform/http/etag.ts';
import { operation } from '../../platform/http/operation.ts';
import { notFound } from '../../platform/http/problem.ts';
import type { Dependencies } from '../dependencies.ts';
import {
  changedMeanwhile,
  ifMatchHeader,
  templateKey,
  templateParameter,
} from './checklist-template.ts';

export const deleteChecklistTemplate = operation({
  id: 'deleteChecklistTemplate',
  method: 'DELETE',
  path: '/checklist-templates/{templateId}',
  tag: 'Checklist',
  origin: 'motorpool',
  summary: 'Delete a checklist template',
  description:
    'Deletes the template. What was put on vehicles from it stays. A second call answers 404.',
  parameters: templateParameter,
  requestHeaders: ifMatchHeader,
  responses: { 204: { description: 'The template is deleted.' } },
  notFound: ['checklist template'],
  problems: changedMeanwhile,
  async handler({ provider, parameters: { templateId }, header }, { db }: Dependencies) {
    const key = templateKey(provider, templateId);
    return db.transaction(async (tx) => {
      const [deleted] = await tx.query<{ version: number }>(
        'delete from checklist_templates where provider = $1 and id = $2 returning version',
        key,
      );
      if (!deleted) throw notFound('checklist template');
      requireMatch(header('if-match'), deleted.version);
      return { status: 204 };
    });
  },
});
