import type { FastifyInstance } from 'fastify';
import type { Database } from '../platform/db/database.ts';
import { clientNetwork } from '../platform/http/client-network.ts';
import { Problem } from '../platform/http/problem.ts';
import { UserError } from '../platform/user-error.ts';
import {
  invitationBusyPage,
  invitationOverPage,
  invitationPage,
  invitationPolicy,
  newPasswordPage,
  passwordSetPage,
} from './invitation-pages.ts';
import { acceptInvitation, findInvitation } from './invitations.ts';
import { servePages } from './page-scope.ts';
import { realmDatabase } from './realm-database.ts';
import { type RealmRequest, serve } from './realm-route.ts';
import type { Realms } from './realms.ts';
import { createAdmission } from './sign-in/admission.ts';
import { rememberDevice } from './sign-in/known-device.ts';
import { hasSecondFactor } from './sign-in/second-factor.ts';
import { signInKeyLoader } from './sign-in/sign-in-key.ts';
import type { CheckedUser } from './users.ts';

const busyRetrySeconds = 2;

/** Where people set their password. The token is in the body of requests, never in their path. */
export function registerInvitationRoutes(
  app: FastifyInstance,
  { db, realms, publicUrl }: { db: Database; realms: Realms; publicUrl: () => string },
): void {
  const signInKey = signInKeyLoader(db);
  // Apart from that of sign-ins, which share the turns at hashing with these.
  const admission = createAdmission();
  servePages(app, invitationPolicy, (scope) => {
    serve(scope, '/invitation', ['GET', 'POST'], async (request, reply) => {
      const { realm } = request.params;
      await requireRealm(realms, realm);
      if (request.method !== 'POST') return reply.send(invitationPage(realm));
      const leave = admission.enter(realm, clientNetwork(request.ip));
      if (!leave)
        return reply.code(429).header('retry-after', busyRetrySeconds).send(invitationBusyPage());
      try {
        const realmDb = realmDatabase(db, realm);
        const console = `${publicUrl()}/console/${realm}`;
        const { status, text, user } = await submit(realmDb, request, console);
        // A second factor was not asked for.
        if (user && !(await hasSecondFactor(realmDb, { provider: realm, userId: user.id }))) {
          const secure = publicUrl().startsWith('https:');
          const key = await signInKey();
          rememberDevice(key, request, reply, user, { knownId: undefined, secure });
        }
        return await reply.code(status).send(text);
      } finally {
        leave();
      }
    });
  });
}

/** With the user when the password is set. */
async function submit(
  db: Database,
  { params: { realm }, body = {}, ip: address, id: requestId }: RealmRequest,
  consoleUrl: string,
): Promise<{ status: number; text: string; user?: CheckedUser }> {
  const { token = '', password, repeated } = body;
  const invitation = await findInvitation(db, realm, token);
  if (!invitation) return { status: 404, text: invitationOverPage() };
  const { id: subject, username } = invitation;
  const operation = 'acceptInvitation';
  const actor = { kind: 'user', subject, username, address, requestId, operation } as const;
  const ask = (error?: string) =>
    newPasswordPage({ realm, username, token, ...(error !== undefined && { error }) });
  if (password === undefined) return { status: 200, text: ask() };
  if (password !== repeated) return { status: 400, text: ask('The two passwords differ.') };
  try {
    const user = await acceptInvitation(db.actingAs(actor), realm, token, password);
    return user
      ? { status: 200, text: passwordSetPage(username, consoleUrl), user }
      : { status: 404, text: invitationOverPage() };
  } catch (error) {
    if (error instanceof UserError) return { status: 400, text: ask(error.message) };
    throw error;
  }
}

async function requireRealm(realms: Realms, provider: string): Promise<void> {
  const realm = await realms.find(provider);
  if (realm && !realm.disabled) return;
  throw new Problem(404, 'realm-not-found', 'No such realm', { detail: 'There is no such realm.' });
}
