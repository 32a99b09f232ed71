import Type from 'typebox';
import type { SessionRow } from '../../auth/sessions.ts';
import { operation } from '../../platform/http/operation.ts';
import { pageBody, pageResponse } from '../../platform/search/page.ts';
import { parseSearch } from '../../platform/search/parse-search.ts';
import { searchProperties } from '../../platform/search/request-schema.ts';
import { search } from '../../platform/search/search.ts';
import type { Dependencies } from '../dependencies.ts';
import { conflicts, requireOwnRealm } from './administer.ts';
import { exampleSession, SignInSessionSchema, sessionOf, sessions } from './sign-in-session.ts';

const FindSignInSessionsSchema = Type.Object(searchProperties(sessions.fields), {
  $id: 'FindSignInSessionsRequest',
  additionalProperties: false,
});

export const findSignInSessions = operation({
  id: 'findSignInSessions',
  method: 'POST',
  path: '/administration/sessions/search',
  tag: 'Administration',
  role: 'admin',
  workload: 'search',
  origin: 'motorpool',
  summary: 'Find who is signed in',
  description:
    'Returns the sessions of people that match all filters, in pages; the newest sign-in first unless another order is asked for.',
  parameters: {},
  body: {
    schema: FindSignInSessionsSchema,
    required: false,
    parse: (body) => parseSearch(sessions, body),
    examples: {
      user: {
        summary: 'Where a user is signed in',
        value: { filters: [{ field: 'username', value: 'anna.weber' }] },
      },
    },
  },
  responses: {
    200: pageResponse(
      'FindSignInSessionsResponse',
      'A page of sessions.',
      SignInSessionSchema,
      exampleSession,
    ),
  },
  notFound: [],
  problems: conflicts(),
  async handler({ provider, body }, dependencies: Dependencies) {
    requireOwnRealm(dependencies);
    const scope = { conditions: ['s.provider = $1'], values: [provider.id] };
    const found = await search<SessionRow>(dependencies.db, sessions, scope, body);
    return { status: 200, body: pageBody(found.rows, found, { itemOf: sessionOf }) };
  },
});
