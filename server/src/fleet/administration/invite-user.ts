import Type from 'typebox';
import { invitationLink } from '../../auth/invitations.ts';
import { inviteUser as invite } from '../../auth/user-accounts.ts';
import { usernamePattern } from '../../auth/users.ts';
import { etagOf } from '../../platform/http/etag.ts';
import { locationOf } from '../../platform/http/location.ts';
import { operation } from '../../platform/http/operation.ts';
import type { Dependencies } from '../dependencies.ts';
import { administer, conflicts, requireOwnRealm } from './administer.ts';
import {
  etagHeader,
  exampleInvited,
  InvitedUserAccountSchema,
  userAccountOf,
  userRequestProperties,
} from './user-account.ts';

const InviteUserSchema = Type.Object(
  {
    username: Type.String({
      pattern: usernamePattern,
      maxLength: 64,
      description: 'The name to sign in with, in any case: 1 to 64 letters, digits, . _ - + or @.',
      examples: ['anna.weber'],
    }),
    ...userRequestProperties,
    id: Type.Optional(
      Type.String({
        format: 'uuid',
        description: '`sub` of the tokens, such as the one of a server before; made when left out.',
        examples: ['0d9f3a54-6b1e-4c7a-9a3d-2f8e5b7c1d60'],
      }),
    ),
  },
  { $id: 'InviteUserRequest', additionalProperties: false },
);

export const inviteUser = operation({
  id: 'inviteUser',
  method: 'POST',
  path: '/administration/users',
  tag: 'Administration',
  role: 'admin',
  origin: 'motorpool',
  summary: 'Invite a person',
  description:
    'Makes a user without a password, and answers a link by which the person sets one. The link is in this answer alone.',
  parameters: {},
  body: {
    schema: InviteUserSchema,
    required: true,
    examples: {
      viewer: {
        summary: 'Somebody who reads',
        value: {
          username: 'anna.weber',
          name: 'Anna Weber',
          email: 'anna.weber@example.com',
          role: 'viewer',
        },
      },
    },
  },
  responses: {
    201: {
      description: 'The user, with the link.',
      schema: InvitedUserAccountSchema,
      example: exampleInvited,
      headers: { Location: 'The path of the user.', ...etagHeader },
    },
  },
  notFound: [],
  problems: conflicts('The user name or the id is taken.'),
  async handler({ provider, caller, body }, dependencies: Dependencies) {
    const realmUrl = requireOwnRealm(dependencies);
    const { user, token } = await administer(dependencies, caller(), (tx) =>
      invite(tx, provider.id, body.username, body),
    );
    return {
      status: 201,
      headers: {
        location: locationOf(provider, 'administration', 'users', user.id),
        etag: etagOf(user.version),
      },
      body: {
        ...userAccountOf(user),
        invitationLink: invitationLink(realmUrl(provider.id), token),
      },
    };
  },
});
