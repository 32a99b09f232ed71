import { fieldsOf } from '../../platform/search/field.ts';
import { listAndSearch } from '../../platform/search/list-and-search.ts';
import { pageBody, pageResponse } from '../../platform/search/page.ts';
import { search } from '../../platform/search/search.ts';
import type { Searchable } from '../../platform/search/searchable.ts';
import { orderedText } from '../../platform/search/text-sql.ts';
import type { Dependencies } from '../dependencies.ts';
import { exampleView, SavedViewSchema, type ViewRow, viewColumns, viewOf } from './saved-view.ts';

const views: Searchable = {
  fields: fieldsOf({
    id: ['uuid', 'v.id'],
    name: ['text', 'v.name'],
    createdAt: ['date-time', 'v.created_at'],
    updatedAt: ['date-time', 'v.updated_at'],
  }),
  columns: viewColumns,
  from: 'saved_views v',
  textColumns: ['v.name'],
  defaultOrder: [orderedText('v.name'), 'v.name'],
  id: 'v.id',
};

export const [listSavedViews, findSavedViews] = listAndSearch({
  list: {
    id: 'listSavedViews',
    summary: 'List the saved views of an asset provider',
    description:
      'Returns the views that all people of the asset provider share, in pages; by name.',
  },
  search: {
    id: 'findSavedViews',
    summary: 'Find saved views of an asset provider',
    description:
      'Returns the views that match all filters, in pages; by name unless another order is asked for. A filter without a field looks ' +
      'for text in the name.',
    examples: {
      byName: { summary: 'Those of vans', value: { filters: [{ value: 'vans' }] } },
    },
  },
  path: '/saved-views',
  tag: 'Vehicles',
  role: 'viewer',
  parameters: {},
  searchable: views,
  page: pageResponse('ListSavedViewsResponse', 'A page of views.', SavedViewSchema, exampleView),
  notFound: [],
  async read({ provider, request }, { db }: Dependencies) {
    const scope = { conditions: ['v.provider = $1'], values: [provider.id] };
    const found = await search<ViewRow>(db, views, scope, request);
    return pageBody(found.rows.map(viewOf), found);
  },
});
