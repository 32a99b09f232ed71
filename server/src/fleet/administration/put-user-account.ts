import Type from 'typebox';
import { updateUser } from '../../auth/user-accounts.ts';
import { etagOf, requireMatch } from '../../platform/http/etag.ts';
import { operation } from '../../platform/http/operation.ts';
import { notFound } from '../../platform/http/problem.ts';
import { readOnly } from '../../platform/search/read-only.ts';
import type { Dependencies } from '../dependencies.ts';
import { administer, conflicts } from './administer.ts';
import { ownAccessRefused, requireOwnUserAccess } from './own-access.ts';
import {
  changedMeanwhile,
  etagHeader,
  exampleUserAccount,
  ifMatchHeader,
  UserAccountSchema,
  userAccountOf,
  userKey,
  userParameter,
  userRequestProperties,
} from './user-account.ts';

const PutUserAccountSchema = Type.Object(
  { ...userRequestProperties, username: readOnly },
  { $id: 'PutUserAccountRequest', additionalProperties: false },
);

export const putUserAccount = operation({
  id: 'putUserAccount',
  method: 'PUT',
  path: '/administration/users/{userId}',
  tag: 'Administration',
  role: 'admin',
  origin: 'motorpool',
  summary: 'Overwrite the role, the name and the address of a user',
  description:
    'What the body leaves out is cleared. With another role, the tokens of the user are refused within a second; applications get new ' +
    'ones, with that role, without another sign-in.',
  parameters: userParameter,
  requestHeaders: ifMatchHeader,
  body: {
    schema: PutUserAccountSchema,
    required: true,
    examples: {
      editor: {
        summary: 'Somebody who writes',
        value: { name: 'Anna Weber', email: 'anna.weber@example.com', role: 'editor' },
      },
    },
  },
  responses: {
    200: {
      description: 'The user, overwritten.',
      schema: UserAccountSchema,
      example: { ...exampleUserAccount, role: 'editor' },
      headers: etagHeader,
    },
  },
  notFound: ['user'],
  problems: { ...conflicts(ownAccessRefused), ...changedMeanwhile },
  handler: (
    { provider, caller, parameters: { userId }, header, body },
    dependencies: Dependencies,
  ) =>
    administer(dependencies, caller(), async (tx) => {
      requireOwnUserAccess(caller(), userId, body.role);
      const row = await updateUser(tx, ...userKey(provider, userId), body);
      if (!row) throw notFound('user');
      requireMatch(header('if-match'), row.version - 1);
      return { status: 200, headers: { etag: etagOf(row.version) }, body: userAccountOf(row) };
    }),
});
