import { deleteMatching } from '../../platform/http/etag.ts';
import { operation } from '../../platform/http/operation.ts';
import type { Dependencies } from '../dependencies.ts';
import { changedMeanwhile, ifMatchHeader, viewKey, viewParameter } from './saved-view.ts';

export const deleteSavedView = operation({
  id: 'deleteSavedView',
  method: 'DELETE',
  path: '/saved-views/{viewId}',
  tag: 'Vehicles',
  role: 'editor',
  origin: 'motorpool',
  summary: 'Delete a saved view',
  description: 'Deletes the view for everybody. A second call answers 404.',
  parameters: viewParameter,
  requestHeaders: ifMatchHeader,
  responses: { 204: { description: 'The view is deleted.' } },
  notFound: ['view'],
  problems: changedMeanwhile,
  async handler({ provider, parameters: { viewId }, header }, { db }: Dependencies) {
    const key = viewKey(provider, viewId);
    return db.transaction(async (tx) => {
      await deleteMatching(tx, 'view', viewRow, key, header('if-match'));
      return { status: 204 };
    });
  },
});

const viewRow = 'saved_views where provider = $1 and id = $2';
