import { recordEvents } from '../record-events.ts';
import { exampleView, SavedViewSchema, type ViewRow, viewColumns, viewOf } from './saved-view.ts';

export const viewEvents = recordEvents<ViewRow>({
  type: 'saved-view',
  name: 'SavedView',
  description: 'A saved view of the vehicles.',
  table: 'saved_views',
  alias: 'v',
  columns: viewColumns,
  resource: viewOf,
  subject: (id) => `/saved-views/${id}`,
  schema: SavedViewSchema,
  example: exampleView,
});
