import { operation } from '../../platform/http/operation.ts';
import { notFound } from '../../platform/http/problem.ts';
import type { Dependencies } from '../dependencies.ts';
import { templateKey, templateParameter } from './checklist-template.ts';

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
  responses: { 204: { description: 'The template is deleted.' } },
  notFound: ['checklist template'],
  async handler({ provider, parameters: { templateId } }, { db }: Dependencies) {
    const key = templateKey(provider, templateId);
    const deleted = await db.transaction((tx) =>
      tx.query('delete from checklist_templates where provider = $1 and id = $2 returning id', key),
    );
    if (deleted.length === 0) throw notFound('checklist template');
    return { status: 204 };
  },
});
