import Type from 'typebox';
import { invitationLink } from '../../auth/invitations.ts';
import { resetUser } from '../../auth/user-accounts.ts';
import { etagOf } from '../../platform/http/etag.ts';
import { operation } from '../../platform/http/operation.ts';
import { notFound } from '../../platform/http/problem.ts';
import type { Dependencies } from '../dependencies.ts';
import { administer, conflicts, requireOwnRealm } from './administer.ts';
import { ownAccessRefused, requireOtherUser } from './own-access.ts';
import {
  etagHeader,
  exampleInvited,
  InvitedUserAccountSchema,
  userAccountOf,
  userKey,
  userParameter,
} from './user-account.ts';

const ResetUserAccountSchema = Type.Object(
  {
    removeSecondFactor: Type.Optional(
      Type.Boolean({
        default: false,
        description: 'Whether the second factor is removed, too: for who has lost it.',
      }),
    ),
  },
  { $id: 'ResetUserAccountRequest', additionalProperties: false },
);

export const resetUserAccount = operation({
  id: 'resetUserAccount',
  method: 'POST',
  path: '/administration/users/{userId}/reset',
  tag: 'Administration',
  role: 'admin',
  origin: 'motorpool',
  summary: 'Reset the password of a user',
  description:
    'The password, the sessions and an earlier link of the user end at once, and tokens within a second. The answer has a link by which ' +
    'the person sets a new password; it is in this answer alone.',
  parameters: userParameter,
  body: {
    schema: ResetUserAccountSchema,
    required: false,
    examples: {
      lost: { summary: 'Together with the second factor', value: { removeSecondFactor: true } },
    },
  },
  responses: {
    200: {
      description: 'The user, with the link.',
      schema: InvitedUserAccountSchema,
      example: exampleInvited,
      headers: etagHeader,
    },
  },
  notFound: ['user'],
  problems: conflicts(ownAccessRefused),
  async handler({ provider, caller, parameters: { userId }, body }, dependencies: Dependencies) {
    const realmUrl = requireOwnRealm(dependencies);
    requireOtherUser(caller(), userId);
    const reset = await administer(dependencies, caller(), (tx) =>
      resetUser(tx, ...userKey(provider, userId), {
        removesSecondFactor: body.removeSecondFactor ?? false,
      }),
    );
    if (!reset) throw notFound('user');
    const { user, token } = reset;
    return {
      status: 200,
      headers: { etag: etagOf(user.version) },
      body: {
        ...userAccountOf(user),
        invitationLink: invitationLink(realmUrl(provider.id), token),
      },
    };
  },
});
