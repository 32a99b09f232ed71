import { removeUser } from '../../auth/user-accounts.ts';
import { requireMatchingRow } from '../../platform/http/etag.ts';
import { operation } from '../../platform/http/operation.ts';
import { notFound } from '../../platform/http/problem.ts';
import type { Dependencies } from '../dependencies.ts';
import { administer, conflicts } from './administer.ts';
import { ownAccessRefused, requireOtherUser } from './own-access.ts';
import { changedMeanwhile, ifMatchHeader, userKey, userParameter } from './user-account.ts';

export const deleteUserAccount = operation({
  id: 'deleteUserAccount',
  method: 'DELETE',
  path: '/administration/users/{userId}',
  tag: 'Administration',
  role: 'admin',
  origin: 'motorpool',
  summary: 'Delete a user',
  description:
    'The sessions of the user end at once, and tokens are refused within a second. A second call answers 404.',
  parameters: userParameter,
  requestHeaders: ifMatchHeader,
  responses: { 204: { description: 'The user is deleted.' } },
  notFound: ['user'],
  problems: { ...conflicts(ownAccessRefused), ...changedMeanwhile },
  handler: ({ provider, caller, parameters: { userId }, header }, dependencies: Dependencies) =>
    administer(dependencies, caller(), async (tx) => {
      requireOtherUser(caller(), userId);
      const key = userKey(provider, userId);
      await requireMatchingRow(tx, 'user', userRow, key, header('if-match'));
      if (!(await removeUser(tx, ...key))) throw notFound('user');
      return { status: 204 };
    }),
});

const userRow = 'users where provider = $1 and id = $2';
