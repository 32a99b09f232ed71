import type { FastifyReply } from 'fastify';
import type { Database } from '../../platform/db/database.ts';
import { unauthorized } from '../../platform/http/problem.ts';
import type { BearerCheck } from '../bearer.ts';
import { requireBearer } from '../bearer-user.ts';
import { corsHeaders, sendPreflight } from '../realm-cors.ts';
import { realmDatabase } from '../realm-database.ts';
import type { RealmOrigins } from '../realm-origins.ts';
import type { RealmRequest } from '../realm-route.ts';
import { findUser } from '../users.ts';

export type ProfileOptions = {
  db: Database;
  checkBearer: BearerCheck;
  origins: RealmOrigins;
  allowDemoCredentials: boolean;
};

/** Whether an application asks on behalf of a person, and no browser shows the page. */
export function isOfApplication({ method, headers }: RealmRequest): boolean {
  return method === 'OPTIONS' || headers.authorization !== undefined;
}

/** What Keycloak's clients load as the profile of a user. */
export async function sendProfile(
  request: RealmRequest,
  reply: FastifyReply,
  { db, checkBearer, origins, allowDemoCredentials }: ProfileOptions,
): Promise<FastifyReply> {
  const { realm } = request.params;
  const cors = await corsHeaders(origins, realm, request.headers.origin);
  if (request.method === 'OPTIONS') return sendPreflight(request, reply, cors, ['GET']);
  reply.headers(cors).type('application/json');
  const { subject } = await requireBearer(request, checkBearer);
  const user = await findUser(realmDatabase(db, realm), realm, subject, allowDemoCredentials);
  if (!user) throw unauthorized(realm, true);
  const { id, username, email } = user;
  return reply.send({
    id,
    username,
    enabled: true,
    ...(email !== null && { email, emailVerified: false }),
  });
}
