import type { FastifyInstance, FastifyReply } from 'fastify';
import { errors, type Provider } from 'oidc-provider';
import type { Database } from '../../platform/db/database.ts';
import { clientNetwork } from '../../platform/http/client-network.ts';
import { createAttemptLimiter } from '../attempt-limiter.ts';
import { errorPage, loginPage } from '../pages.ts';
import { type RealmRequest, type RealmServer, serve } from '../realm-route.ts';
import { authenticateUser, findUserByName, type NamedUser } from '../users.ts';
import { createAdmission } from './admission.ts';
import { beginAttempt, endAttempts, type GuessTarget } from './failures.ts';
import { knownDevice, rememberDevice } from './known-device.ts';
import type { SignInKey } from './sign-in-key.ts';

export type SignInOptions = {
  db: Database;
  requireServer(request: RealmRequest): Promise<RealmServer>;
  allowDemoCredentials: boolean;
  signInKey(): Promise<SignInKey>;
  /** Whether browsers reach the service by https. */
  isSecure(): boolean;
};

type Attempt = {
  request: RealmRequest;
  reply: FastifyReply;
  server: Provider;
  realm: string;
  username: string;
  key: SignInKey;
  deviceId: string | undefined;
};

const busyRetrySeconds = 2;
// Of all users together; those on known devices are not affected.
const maxFailuresPerNetwork = 20;

/** The login page, to which the OpenID library redirects. */
export function registerSignInForm(scope: FastifyInstance, options: SignInOptions): void {
  const { db, requireServer, allowDemoCredentials, signInKey } = options;
  const networkLimiter = createAttemptLimiter(maxFailuresPerNetwork);
  const admission = createAdmission();

  serve(scope, '/login/:uid', ['GET', 'POST'], async (request, reply) => {
    if (request.method !== 'POST') return show(request, reply);
    const key = await signInKey();
    const username = typedName(request);
    const deviceId = knownDevice(key, request, username);
    const leave = admission.enter(clientNetwork(request.ip), deviceId !== undefined);
    if (!leave) {
      logSignIn(request, undefined, 'busy');
      return refuse(request, reply, busyRetrySeconds, 'The service is busy.');
    }
    try {
      const { server } = await requireServer(request);
      if (!(await isSigningIn(server, request, reply))) return expired(reply);
      const { realm } = request.params;
      return await submit({ request, reply, server, realm, username, key, deviceId });
    } finally {
      leave();
    }
  });

  async function show(request: RealmRequest, reply: FastifyReply): Promise<FastifyReply> {
    const { server } = await requireServer(request);
    if (!(await isSigningIn(server, request, reply))) return expired(reply);
    return reply.send(loginPage({ realm: request.params.realm, username: '' }));
  }

  async function submit(attempt: Attempt): Promise<FastifyReply> {
    const { request, reply, realm, username, deviceId, key } = attempt;
    const target: GuessTarget = { provider: realm, kind: 'password', username, deviceId };
    const network = [clientNetwork(request.ip)];
    const networkWait = deviceId === undefined ? networkLimiter.waitSeconds(network) : 0;
    const waitSeconds = networkWait || (await beginAttempt(db, key, target));
    if (waitSeconds > 0) {
      logSignIn(request, await findTyped(attempt), 'delayed');
      return refuse(request, reply, waitSeconds, 'Too many failed attempts.');
    }
    networkLimiter.count(network);
    const password = request.body?.password ?? '';
    const user = await authenticateUser(db, realm, username, password, allowDemoCredentials);
    if (!user) {
      logSignIn(request, await findTyped(attempt), 'wrong-password');
      const error = 'The user name or the password is wrong.';
      return reply
        .code(401)
        .send(loginPage({ realm, username: request.body?.username ?? '', error }));
    }
    networkLimiter.uncount(network);
    await endAttempts(db, key, target);
    return finish(attempt, user);
  }

  async function finish(attempt: Attempt, user: NamedUser): Promise<FastifyReply> {
    const { request, reply, server, key, deviceId } = attempt;
    logSignIn(request, user, 'succeeded');
    const secure = options.isSecure();
    rememberDevice(key, request, reply, user.username, { knownId: deviceId, secure });
    const next = await server.interactionResult(request.raw, reply.raw, {
      login: { accountId: user.id },
    });
    return reply.redirect(next, 303);
  }

  function findTyped({ realm, username }: Attempt): Promise<NamedUser | undefined> {
    return findUserByName(db, realm, username, allowDemoCredentials);
  }
}

type Outcome = 'succeeded' | 'wrong-password' | 'delayed' | 'busy';

/** The name that was typed is logged only if somebody has it, as it may be a password. */
function logSignIn(request: RealmRequest, user: NamedUser | undefined, outcome: Outcome): void {
  request.log.info(
    {
      realm: request.params.realm,
      address: request.ip,
      user: user?.username ?? 'unknown',
      outcome,
    },
    'sign-in',
  );
}

function typedName({ body }: RealmRequest): string {
  return (body?.username ?? '').toLowerCase();
}

function refuse(
  { params, body }: RealmRequest,
  reply: FastifyReply,
  waitSeconds: number,
  reason: string,
): FastifyReply {
  const error = `${reason} Try again in ${waitSeconds} seconds.`;
  return reply
    .code(429)
    .header('retry-after', waitSeconds)
    .send(loginPage({ realm: params.realm, username: body?.username ?? '', error }));
}

function expired(reply: FastifyReply): FastifyReply {
  return reply
    .code(400)
    .send(errorPage('invalid_request', 'This sign-in has expired or was finished already.'));
}

/** Whether the browser has a pending login of the library. */
async function isSigningIn(
  server: Provider,
  request: RealmRequest,
  reply: FastifyReply,
): Promise<boolean> {
  try {
    const { prompt } = await server.interactionDetails(request.raw, reply.raw);
    return prompt.name === 'login';
  } catch (error) {
    if (error instanceof errors.SessionNotFound) return false;
    throw error;
  }
}
