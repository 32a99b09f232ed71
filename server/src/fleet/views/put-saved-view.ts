import { etagOf, requireMatch } from '../../platform/http/etag.ts';
import { operation } from '../../platform/http/operation.ts';
import { notFound } from '../../platform/http/problem.ts';
import type { Dependencies } from '../dependencies.ts';
import {
  changedMeanwhile,
  definitionJson,
  etagHeader,
  exampleView,
  exampleViewRequest,
  ifMatchHeader,
  nameTaken,
  rejectDuplicateName,
  SavedViewRequestSchema,
  SavedViewSchema,
  type ViewRow,
  viewColumns,
  viewIssues,
  viewKey,
  viewOf,
  viewParameter,
} from './saved-view.ts';

export const putSavedView = operation({
  id: 'putSavedView',
  method: 'PUT',
  path: '/saved-views/{viewId}',
  tag: 'Vehicles',
  role: 'editor',
  origin: 'motorpool',
  summary: 'Overwrite a saved view',
  description: 'Replaces the name and all that the view shows, for everybody.',
  parameters: viewParameter,
  requestHeaders: ifMatchHeader,
  body: {
    schema: SavedViewRequestSchema,
    required: true,
    rules: viewIssues,
    examples: { vans: { summary: 'Vans that need a service', value: exampleViewRequest } },
  },
  responses: {
    200: {
      description: 'The view, overwritten.',
      schema: SavedViewSchema,
      example: exampleView,
      headers: etagHeader,
    },
  },
  notFound: ['view'],
  problems: { ...changedMeanwhile, ...nameTaken },
  async handler({ provider, parameters, header, body }, { db, clock }: Dependencies) {
    const key = viewKey(provider, parameters.viewId);
    const values = [...key, body.name, definitionJson(body), clock.now()];
    const overwrite = db.transaction(async (tx) => {
      const [row] = await tx.query<ViewRow>(updateView, values);
      if (!row) throw notFound('view');
      requireMatch(header('if-match'), row.version - 1);
      return row;
    });
    const row = await rejectDuplicateName(body.name, overwrite);
    return { status: 200, headers: { etag: etagOf(row.version) }, body: viewOf(row) };
  },
});

const updateView = `
  update saved_views v
  set version = version + 1, updated_at = $5, name = $3, definition = $4
  where v.provider = $1 and v.id = $2
  returning ${viewColumns}`;
