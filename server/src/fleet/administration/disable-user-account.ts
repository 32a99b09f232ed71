import { setUserDisabled } from '../../auth/user-accounts.ts';
import { etagOf } from '../../platform/http/etag.ts';
import { operation } from '../../platform/http/operation.ts';
import { notFound } from '../../platform/http/problem.ts';
import type { Dependencies } from '../dependencies.ts';
import { administer, conflicts } from './administer.ts';
import { ownAccessRefused, requireOtherUser } from './own-access.ts';
import {
  etagHeader,
  exampleUserAccount,
  UserAccountSchema,
  userAccountOf,
  userKey,
  userParameter,
} from './user-account.ts';

export const disableUserAccount = operation({
  id: 'disableUserAccount',
  method: 'POST',
  path: '/administration/users/{userId}/disable',
  tag: 'Administration',
  role: 'admin',
  origin: 'motorpool',
  summary: 'Disable a user',
  description:
    'The user cannot sign in. Sessions end at once, and tokens are refused within a second, also after the user is enabled again.',
  parameters: userParameter,
  responses: {
    200: {
      description: 'The user, disabled.',
      schema: UserAccountSchema,
      example: { ...exampleUserAccount, disabledAt: '2026-11-15T09:00:00.000Z' },
      headers: etagHeader,
    },
  },
  notFound: ['user'],
  problems: conflicts(ownAccessRefused),
  handler: ({ provider, caller, parameters: { userId } }, dependencies: Dependencies) =>
    administer(dependencies, caller(), async (tx) => {
      requireOtherUser(caller(), userId);
      const row = await setUserDisabled(tx, ...userKey(provider, userId), true);
      if (!row) throw notFound('user');
      return { status: 200, headers: { etag: etagOf(row.version) }, body: userAccountOf(row) };
    }),
});
