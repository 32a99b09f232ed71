import { setUserDisabled } from '../../auth/user-accounts.ts';
import { etagOf } from '../../platform/http/etag.ts';
import { operation } from '../../platform/http/operation.ts';
import { notFound } from '../../platform/http/problem.ts';
import type { Dependencies } from '../dependencies.ts';
import { administer, conflicts } from './administer.ts';
import {
  etagHeader,
  exampleUserAccount,
  UserAccountSchema,
  userAccountOf,
  userKey,
  userParameter,
} from './user-account.ts';

export const enableUserAccount = operation({
  id: 'enableUserAccount',
  method: 'POST',
  path: '/administration/users/{userId}/enable',
  tag: 'Administration',
  role: 'admin',
  origin: 'motorpool',
  summary: 'Enable a disabled user',
  description: 'The user can sign in again, with the password of before.',
  parameters: userParameter,
  responses: {
    200: {
      description: 'The user, enabled.',
      schema: UserAccountSchema,
      example: exampleUserAccount,
      headers: etagHeader,
    },
  },
  notFound: ['user'],
  problems: conflicts(),
  handler: ({ provider, caller, parameters: { userId } }, dependencies: Dependencies) =>
    administer(dependencies, caller(), async (tx) => {
      const row = await setUserDisabled(tx, ...userKey(provider, userId), false);
      if (!row) throw notFound('user');
      return { status: 200, headers: { etag: etagOf(row.version) }, body: userAccountOf(row) };
    }),
});
