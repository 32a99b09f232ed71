import type { FastifyReply } from 'fastify';
import { errors, type Provider } from 'oidc-provider';
import type { Database } from '../../platform/db/database.ts';
import { inPageTurn } from '../page-turns.ts';
import { errorPage } from '../pages.ts';
import type { RealmRequest, RealmServer } from '../realm-route.ts';
import type { Realm } from '../realms.ts';
import type { SignIn, SignInRecorder } from '../record-sign-in.ts';
import type { CheckedUser, NamedUser } from '../users.ts';
import { rememberDevice } from './known-device.ts';
import type { SignInKey } from './sign-in-key.ts';

export type SignInOptions = {
  db: Database;
  requireRealm(request: RealmRequest): Promise<Realm>;
  requireServer(request: RealmRequest): Promise<RealmServer>;
  allowDemoCredentials: boolean;
  signInKey(): Promise<SignInKey>;
  publicUrl(): string;
  recordSignIn: SignInRecorder;
};

/** A form of the sign-in that was submitted. */
export type Attempt = {
  /** For the statements of the realm. */
  db: Database;
  request: RealmRequest;
  reply: FastifyReply;
  server: Provider;
  /** The id of the library's interaction. */
  interaction: string;
  /** The client that the person signs in to. */
  clientId: string;
  key: SignInKey;
  recordSignIn: SignInRecorder;
};

type Outcome = 'succeeded' | 'wrong-password' | 'code-required' | 'wrong-code' | 'delayed' | 'busy';

/** The name that was typed is logged only if somebody has it, as it may be a password. */
export function logSignIn(
  request: RealmRequest,
  user: NamedUser | undefined,
  outcome: Outcome,
): void {
  const { realm } = request.params;
  const attempt = { realm, address: request.ip, user: user?.username ?? 'unknown', outcome };
  request.log.info(attempt, 'sign-in');
}

const actions: Partial<Record<Outcome, SignIn['action']>> = {
  succeeded: 'signed-in',
  'wrong-password': 'sign-in-failed',
  'wrong-code': 'code-failed',
  delayed: 'sign-in-refused',
};

/**
 * Logs the outcome, and writes it to the audit trail, which has no name that nobody has either. A name that was typed is given
 * all the same: as much is then written for each, and how long that takes does not tell which of them somebody has.
 */
export async function reportSignIn(
  { request, clientId, recordSignIn }: Attempt,
  user: NamedUser | undefined,
  outcome: Outcome,
  typedName: string | undefined = user?.username,
): Promise<void> {
  logSignIn(request, user, outcome);
  const action = actions[outcome];
  if (!action) return;
  await recordSignIn({
    provider: request.params.realm,
    action,
    type: 'user',
    ...(typedName !== undefined && { user: typedName }),
    clientId,
    address: request.ip,
    requestId: request.id,
  });
}

/** The login that is pending in the browser. */
export async function pendingInteraction(
  server: Provider,
  request: RealmRequest,
  reply: FastifyReply,
): Promise<Pick<Attempt, 'interaction' | 'clientId'> | undefined> {
  try {
    const { prompt, uid, params } = await inPageTurn(request, () =>
      server.interactionDetails(request.raw, reply.raw),
    );
    if (prompt.name !== 'login') return undefined;
    return { interaction: uid, clientId: String(params.client_id) };
  } catch (error) {
    if (error instanceof errors.SessionNotFound) return undefined;
    throw error;
  }
}

export function sendExpired(reply: FastifyReply): FastifyReply {
  return reply
    .code(400)
    .send(errorPage('invalid_request', 'This sign-in has expired or was finished already.'));
}

export async function finishSignIn(
  attempt: Attempt,
  user: CheckedUser,
  methods: string[],
  device: { knownId: string | undefined; secure: boolean },
): Promise<FastifyReply> {
  const { request, reply, server, key } = attempt;
  await reportSignIn(attempt, user, 'succeeded');
  rememberDevice(key, request, reply, user, device);
  const next = await server.interactionResult(request.raw, reply.raw, {
    login: { accountId: user.id, amr: methods, version: user.version },
  });
  return reply.redirect(next, 303);
}
