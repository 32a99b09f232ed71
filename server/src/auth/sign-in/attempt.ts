import type { FastifyReply } from 'fastify';
import { errors, type Provider } from 'oidc-provider';
import type { Database } from '../../platform/db/database.ts';
import { errorPage } from '../pages.ts';
import type { RealmRequest, RealmServer } from '../realm-route.ts';
import type { NamedUser } from '../users.ts';
import { rememberDevice } from './known-device.ts';
import type { SignInKey } from './sign-in-key.ts';

export type SignInOptions = {
  db: Database;
  requireServer(request: RealmRequest): Promise<RealmServer>;
  allowDemoCredentials: boolean;
  signInKey(): Promise<SignInKey>;
  publicUrl(): string;
};

/** A form of the sign-in that was submitted. */
export type Attempt = {
  request: RealmRequest;
  reply: FastifyReply;
  server: Provider;
  /** The id of the library's interaction. */
  interaction: string;
  key: SignInKey;
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

/** The id of the login that is pending in the browser. */
export async function pendingInteraction(
  server: Provider,
  request: RealmRequest,
  reply: FastifyReply,
): Promise<string | undefined> {
  try {
    const { prompt, uid } = await server.interactionDetails(request.raw, reply.raw);
    return prompt.name === 'login' ? uid : undefined;
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
  { request, reply, server, key }: Attempt,
  user: NamedUser,
  methods: string[],
  device: { knownId: string | undefined; secure: boolean },
): Promise<FastifyReply> {
  logSignIn(request, user, 'succeeded');
  rememberDevice(key, request, reply, user.username, device);
  const next = await server.interactionResult(request.raw, reply.raw, {
    login: { accountId: user.id, amr: methods },
  });
  return reply.redirect(next, 303);
}
