import { getUser } from '../../auth/user-accounts.ts';
import { etagOf } from '../../platform/http/etag.ts';
import { operation } from '../../platform/http/operation.ts';
import { notFound } from '../../platform/http/problem.ts';
import type { Dependencies } from '../dependencies.ts';
import { conflicts, requireOwnRealm } from './administer.ts';
import {
  etagHeader,
  exampleUserAccount,
  UserAccountSchema,
  userAccountOf,
  userKey,
  userParameter,
} from './user-account.ts';

export const getUserAccount = operation({
  id: 'getUserAccount',
  method: 'GET',
  path: '/administration/users/{userId}',
  tag: 'Administration',
  role: 'admin',
  origin: 'motorpool',
  summary: 'Read a user',
  description: 'Returns one person who signs in.',
  parameters: userParameter,
  responses: {
    200: {
      description: 'The user.',
      schema: UserAccountSchema,
      example: exampleUserAccount,
      headers: etagHeader,
    },
  },
  notFound: ['user'],
  problems: conflicts(),
  async handler({ provider, parameters: { userId } }, dependencies: Dependencies) {
    requireOwnRealm(dependencies);
    const row = await getUser(dependencies.db, ...userKey(provider, userId));
    if (!row) throw notFound('user');
    return { status: 200, headers: { etag: etagOf(row.version) }, body: userAccountOf(row) };
  },
});
