import Type, { type Static } from 'typebox';
import { maxUserAgentLength, type SessionRow, sessionsTable } from '../../auth/sessions.ts';
import { maxHeaderBytes } from '../../platform/http/header-limit.ts';
import { maxAnswerItems } from '../../platform/http/large-json.ts';
import { fieldsOf } from '../../platform/search/field.ts';
import type { Searchable } from '../../platform/search/searchable.ts';
import { maxClientIdLength } from './client.ts';

/** A browser in which a user is signed in. */
export const SignInSessionSchema = Type.Object(
  {
    id: Type.String({
      maxLength: 100,
      description: 'Names the session here; it is not the cookie, and signs nobody in.',
    }),
    userId: Type.String({ maxLength: 100, description: 'The id of the user who signed in.' }),
    username: Type.Optional(
      Type.String({
        maxLength: 64,
        description: 'The name of the user; absent when the user was deleted.',
      }),
    ),
    clientIds: Type.Array(Type.String({ maxLength: maxClientIdLength }), {
      maxItems: maxAnswerItems,
      description: 'The clients that the user signed in to, in the order of their ids.',
    }),
    address: Type.Optional(
      Type.String({
        maxLength: maxHeaderBytes,
        description: 'The network address from which the user signed in, where it is known.',
      }),
    ),
    userAgent: Type.Optional(
      Type.String({
        maxLength: maxUserAgentLength,
        description: 'What the browser said of itself, where it is known.',
      }),
    ),
    signedInAt: Type.String({
      format: 'date-time',
      description: 'When the password was entered.',
    }),
    updatedAt: Type.String({
      format: 'date-time',
      description: 'When an application last asked who is signed in.',
    }),
    expiresAt: Type.String({
      format: 'date-time',
      description: 'When it ends, unless it is used before.',
    }),
  },
  { $id: 'SignInSession', additionalProperties: false },
);
type SignInSession = Static<typeof SignInSessionSchema>;

export const exampleSession: SignInSession = {
  id: 'V1StGXR8Z5jdHi6BmyT9q',
  userId: '0d9f3a54-6b1e-4c7a-9a3d-2f8e5b7c1d60',
  username: 'anna.weber',
  clientIds: ['motorpool-console'],
  address: '192.0.2.17',
  userAgent: 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0',
  signedInAt: '2026-11-15T08:30:00.000Z',
  updatedAt: '2026-11-15T09:10:00.000Z',
  expiresAt: '2026-11-16T09:10:00.000Z',
};

export function sessionOf(row: SessionRow): SignInSession {
  return {
    id: row.id,
    userId: row.user_id,
    ...(row.username !== null && { username: row.username }),
    clientIds: row.client_ids,
    ...(row.address !== null && { address: row.address }),
    ...(row.user_agent !== null && { userAgent: row.user_agent }),
    signedInAt: row.signed_in_at,
    updatedAt: row.updated_at,
    expiresAt: row.expires_at,
  };
}

export const sessions: Searchable = {
  fields: fieldsOf({
    id: ['text', 's.id'],
    userId: ['text', 's.user_id'],
    username: ['text', 's.username'],
    clientIds: ['text', 'client_id', { anyOf: 'from unnest(s.client_ids) client_id where true' }],
    address: ['text', 's.address'],
    userAgent: ['text', 's.user_agent'],
    signedInAt: ['date-time', 's.signed_in_at'],
    updatedAt: ['date-time', 's.updated_at'],
    expiresAt: ['date-time', 's.expires_at'],
  }),
  columns:
    's.id, s.user_id, s.username, s.client_ids, s.address, s.user_agent, s.signed_in_at, s.updated_at, s.expires_at',
  from: `${sessionsTable} s`,
  defaultOrder: ['s.signed_in_at desc'],
  id: 's.id',
};
