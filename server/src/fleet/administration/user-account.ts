import Type, { type Static } from 'typebox';
import { invitationHours } from '../../auth/invitations.ts';
import { hasSecondFactor, type UserRow, userColumns } from '../../auth/user-accounts.ts';
import { etagTexts } from '../../platform/http/etag.ts';
import type { ProviderRef } from '../../platform/http/operation.ts';
import { uuidParameter } from '../../platform/http/path-parameter.ts';
import { roles } from '../../platform/http/principal.ts';
import { requireUuid } from '../../platform/http/require-uuid.ts';
import { fieldsOf } from '../../platform/search/field.ts';
import { readOnly } from '../../platform/search/read-only.ts';
import type { Searchable } from '../../platform/search/searchable.ts';

const name = Type.Optional(
  Type.String({
    minLength: 1,
    maxLength: 200,
    description: 'What people call the user.',
    examples: ['Anna Weber'],
  }),
);

const email = Type.Optional(
  Type.String({
    maxLength: 254,
    pattern: '^[^\\s@]+@[^\\s@]+$',
    description: 'In the tokens of the user; no mail is sent.',
    examples: ['anna.weber@example.com'],
  }),
);

const role = {
  type: 'string',
  description: 'What the user may do.',
  examples: ['viewer'],
} as const;

/** Unset values are absent. */
export const UserAccountSchema = Type.Object(
  {
    id: Type.String({ format: 'uuid', description: '`sub` of the tokens.' }),
    username: Type.String({
      maxLength: 64,
      description: 'The name to sign in with, in lower case.',
    }),
    name,
    email,
    role: Type.Enum([...roles], role),
    hasPassword: Type.Boolean({
      description: 'Whether the user can sign in: not before a password is set by the link.',
    }),
    hasSecondFactor: Type.Boolean({
      description: 'Whether the sign-in also asks for a code of an app.',
    }),
    invitationExpiresAt: Type.Optional(
      Type.String({
        format: 'date-time',
        description: 'Until when a link to set the password is valid; absent without one.',
      }),
    ),
    createdAt: Type.String({ format: 'date-time', description: 'When the user was made.' }),
    updatedAt: Type.String({ format: 'date-time', description: 'When the user was last changed.' }),
    disabledAt: Type.Optional(
      Type.String({ format: 'date-time', description: 'Since when the user is disabled.' }),
    ),
  },
  { $id: 'UserAccount', additionalProperties: false },
);
type UserAccount = Static<typeof UserAccountSchema>;

export const InvitedUserAccountSchema = Type.Object(
  {
    ...UserAccountSchema.properties,
    invitationLink: Type.String({
      format: 'uri',
      maxLength: 2_000,
      description: `Where the user sets a password, once and within ${invitationHours} hours. It is not shown again.`,
    }),
  },
  { $id: 'InvitedUserAccount', additionalProperties: false },
);

export const userRequestProperties = {
  name,
  email,
  role: Type.Optional(Type.Enum([...roles], { ...role, default: 'editor' })),
  id: readOnly,
  hasPassword: readOnly,
  hasSecondFactor: readOnly,
  invitationExpiresAt: readOnly,
  createdAt: readOnly,
  updatedAt: readOnly,
  disabledAt: readOnly,
};

export function userAccountOf(row: UserRow): UserAccount {
  return {
    id: row.id,
    username: row.username,
    ...(row.name !== null && { name: row.name }),
    ...(row.email !== null && { email: row.email }),
    role: row.role,
    hasPassword: row.hasPassword,
    hasSecondFactor: row.hasSecondFactor,
    ...(row.invitationExpiresAt !== null && { invitationExpiresAt: row.invitationExpiresAt }),
    createdAt: row.createdAt,
    updatedAt: row.updatedAt,
    ...(row.disabledAt !== null && { disabledAt: row.disabledAt }),
  };
}

export const exampleUserAccount: UserAccount = {
  id: '0d9f3a54-6b1e-4c7a-9a3d-2f8e5b7c1d60',
  username: 'anna.weber',
  name: 'Anna Weber',
  email: 'anna.weber@example.com',
  role: 'viewer',
  hasPassword: true,
  hasSecondFactor: false,
  createdAt: '2026-11-15T08:30:00.000Z',
  updatedAt: '2026-11-15T08:30:00.000Z',
};

export const exampleInvited = {
  ...exampleUserAccount,
  hasPassword: false,
  invitationExpiresAt: '2026-11-18T08:30:00.000Z',
  invitationLink:
    'https://fleet.example.com/realms/DE-ABC/invitation#kOQ2fJmXzYw0t5sVb8nR1cL7uE3hG6iDpA9xM4yT-Zs',
};

export const { etagHeader, ifMatchHeader, changedMeanwhile } = etagTexts('user');

/** The path parameter of every operation on one user. */
export const userParameter = {
  userId: uuidParameter('The id of the user.', exampleUserAccount.id),
};

/** The key of a user: the provider's id and the user's. */
export function userKey(provider: ProviderRef, userId: string): [provider: string, id: string] {
  return [provider.id, requireUuid(userId, 'user')];
}

const milliseconds = (column: string) => `date_trunc('milliseconds', ${column})`;

export const userAccounts: Searchable = {
  fields: fieldsOf({
    id: ['uuid', 'u.id'],
    username: ['text', 'u.username'],
    name: ['text', 'u.name'],
    email: ['text', 'u.email'],
    role: ['text', 'u.role', { values: roles }],
    hasPassword: ['boolean', '(u.password_hash is not null)'],
    hasSecondFactor: ['boolean', `(${hasSecondFactor})`],
    createdAt: ['date-time', milliseconds('u.created_at')],
    updatedAt: ['date-time', 'u.updated_at'],
    disabledAt: ['date-time', milliseconds('u.disabled_at')],
  }),
  columns: userColumns,
  from: 'users u',
  textColumns: ['u.username', 'u.name', 'u.email'],
  defaultOrder: ['u.username'],
  id: 'u.id',
};
