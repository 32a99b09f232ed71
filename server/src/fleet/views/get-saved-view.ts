import { etagOf } from '../../platform/http/etag.ts';
import { operation } from '../../platform/http/operation.ts';
import { notFound } from '../../platform/http/problem.ts';
import type { Dependencies } from '../dependencies.ts';
import {
  etagHeader,
  exampleView,
  SavedViewSchema,
  type ViewRow,
  viewColumns,
  viewKey,
  viewOf,
  viewParameter,
} from './saved-view.ts';

export const getSavedView = operation({
  id: 'getSavedView',
  method: 'GET',
  path: '/saved-views/{viewId}',
  tag: 'Vehicles',
  role: 'viewer',
  origin: 'motorpool',
  summary: 'Read a saved view',
  description: 'Returns one view.',
  parameters: viewParameter,
  responses: {
    200: {
      description: 'The view.',
      schema: SavedViewSchema,
      example: exampleView,
      headers: etagHeader,
    },
  },
  notFound: ['view'],
  async handler({ provider, parameters: { viewId } }, { db }: Dependencies) {
    const [row] = await db.query<ViewRow>(selectView, viewKey(provider, viewId));
    if (!row) throw notFound('view');
    return { status: 200, headers: { etag: etagOf(row.version) }, body: viewOf(row) };
  },
});

const selectView = `select ${viewColumns} from saved_views v where v.provider = $1 and v.id = $2`;
