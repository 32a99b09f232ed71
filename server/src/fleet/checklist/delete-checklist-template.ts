import { deleteMatching } from '../../platform/http/etag.ts';
import { operation } from '../../platform/http/operation.ts';
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
  role: 'editor',
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
      await deleteMatching(tx, 'checklist template', templateRow, key, header('if-match'));
      return { status: 204 };
    });
  },
});

const templateRow = 'checklist_templates where provider = $1 and id = $2';
