import { etagOf } from '../../platform/http/etag.ts';
import { locationOf } from '../../platform/http/location.ts';
import { operation } from '../../platform/http/operation.ts';
import { Problem } from '../../platform/http/problem.ts';
import type { Dependencies } from '../dependencies.ts';
import {
  definitionJson,
  etagHeader,
  exampleView,
  exampleViewRequest,
  maxViews,
  rejectDuplicateName,
  SavedViewRequestSchema,
  SavedViewSchema,
  type ViewRow,
  viewColumns,
  viewIssues,
  viewOf,
} from './saved-view.ts';

export const createSavedView = operation({
  id: 'createSavedView',
  method: 'POST',
  path: '/saved-views',
  tag: 'Vehicles',
  role: 'editor',
  origin: 'motorpool',
  summary: 'Save a view of the vehicles',
  description:
    'Keeps what the vehicles are searched for and how they are shown under a name, for all people of the asset provider.',
  parameters: {},
  body: {
    schema: SavedViewRequestSchema,
    required: true,
    rules: viewIssues,
    examples: { vans: { summary: 'Vans that need a service', value: exampleViewRequest } },
  },
  responses: {
    201: {
      description: 'The view, new.',
      schema: SavedViewSchema,
      example: exampleView,
      headers: { Location: 'The path of the view.', ...etagHeader },
    },
  },
  notFound: [],
  problems: {
    409: 'Another view of the asset provider has the name, or there are as many as it may have.',
  },
  async handler({ provider, body }, { db, clock }: Dependencies) {
    const values = [provider.id, body.name, definitionJson(body), clock.now(), maxViews];
    const write = db.transaction(async (tx) => {
      // Serializes those of the provider, whose number is limited.
      await tx.query('select from providers where id = $1 for no key update', [provider.id]);
      return tx.query<ViewRow>(insertView, values);
    });
    const [row] = await rejectDuplicateName(body.name, write);
    if (!row)
      throw new Problem(409, 'too-many-views', 'There are too many views', {
        detail: `An asset provider has at most ${maxViews}: delete one first.`,
      });
    const location = locationOf(provider, 'saved-views', row.id);
    return { status: 201, headers: { location, etag: etagOf(row.version) }, body: viewOf(row) };
  },
});

const insertView = `
  insert into saved_views as v (provider, name, definition, created_at, updated_at)
  select $1, $2, $3, $4, $4 where (select count(*) from saved_views where provider = $1) < $5
  returning ${viewColumns}`;
