import Type from 'typebox';
import type { UserRow } from '../../auth/user-accounts.ts';
import { operation } from '../../platform/http/operation.ts';
import { pageBody, pageResponse } from '../../platform/search/page.ts';
import { parseSearch } from '../../platform/search/parse-search.ts';
import { searchProperties } from '../../platform/search/request-schema.ts';
import { search } from '../../platform/search/search.ts';
import type { Dependencies } from '../dependencies.ts';
import { conflicts, requireOwnRealm } from './administer.ts';
import {
  exampleUserAccount,
  UserAccountSchema,
  userAccountOf,
  userAccounts,
} from './user-account.ts';

const FindUserAccountsSchema = Type.Object(searchProperties(userAccounts.fields, true), {
  $id: 'FindUserAccountsRequest',
  additionalProperties: false,
});

export const findUserAccounts = operation({
  id: 'findUserAccounts',
  method: 'POST',
  path: '/administration/users/search',
  tag: 'Administration',
  role: 'admin',
  workload: 'search',
  origin: 'motorpool',
  summary: 'Find people who sign in',
  description:
    'Returns the users that match all filters, in pages; by user name unless another order is asked for. A filter without a field looks ' +
    'for text in the user name and the name.',
  parameters: {},
  body: {
    schema: FindUserAccountsSchema,
    required: false,
    parse: (body) => parseSearch(userAccounts, body),
    examples: {
      pending: {
        summary: 'Those who have not set a password yet',
        value: { filters: [{ field: 'hasPassword', value: false }] },
      },
    },
  },
  responses: {
    200: pageResponse(
      'FindUserAccountsResponse',
      'A page of users.',
      UserAccountSchema,
      exampleUserAccount,
    ),
  },
  notFound: [],
  problems: conflicts(),
  async handler({ provider, body }, dependencies: Dependencies) {
    requireOwnRealm(dependencies);
    const scope = { conditions: ['u.provider = $1'], values: [provider.id] };
    const found = await search<UserRow>(dependencies.db, userAccounts, scope, body);
    return { status: 200, body: pageBody(found.rows, found, { itemOf: userAccountOf }) };
  },
});
