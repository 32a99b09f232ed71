import type { FastifyInstance, FastifyReply } from 'fastify';
import { clientNetwork, siteOf } from '../../platform/http/client-network.ts';
import { createAttemptLimiter } from '../attempt-limiter.ts';
import { loginPage } from '../pages.ts';
import { realmDatabase } from '../realm-database.ts';
import { type RealmRequest, serve } from '../realm-route.ts';
import { authenticateUser, findUserByName } from '../users.ts';
import { createAdmission } from './admission.ts';
import {
  type Attempt,
  finishSignIn,
  logSignIn,
  pendingInteraction,
  reportSignIn,
  type SignInOptions,
  sendExpired,
} from './attempt.ts';
import { askForCode, submitCode } from './code-form.ts';
import { beginAttempt, endAttempts, type GuessTarget } from './failures.ts';
import { knownDevice } from './known-device.ts';
import { hasSecondFactor } from './second-factor.ts';

const busyRetrySeconds = 2;
// Of all users together; those on known devices are not affected.
const maxFailuresPerSite = 20;

/** The login page, to which the OpenID library redirects. */
export function registerSignInForm(scope: FastifyInstance, options: SignInOptions): void {
  const { requireRealm, requireServer, allowDemoCredentials, signInKey, recordSignIn } = options;
  const siteLimiter = createAttemptLimiter(maxFailuresPerSite);
  const admission = createAdmission();

  serve(scope, '/login/:uid', ['GET', 'POST'], async (request, reply) => {
    if (request.method !== 'POST') return show(request, reply);
    if (request.body?.passed !== undefined) {
      const attempt = await openAttempt(request, reply);
      return attempt ? submitCode(attempt, options) : sendExpired(reply);
    }
    const admitted = await admit(request);
    if (!admitted) {
      logSignIn(request, undefined, 'busy');
      return refuse(request, reply, busyRetrySeconds, 'The service is busy.');
    }
    try {
      const attempt = await openAttempt(request, reply);
      return attempt ? await submitPassword(attempt, admitted.deviceId) : sendExpired(reply);
    } finally {
      admitted.leave();
    }
  });

  /** A place, and the device if it is known: it has one of those of strangers, too, where those of known devices are taken. */
  async function admit(
    request: RealmRequest,
  ): Promise<{ leave(): void; deviceId: string | undefined } | undefined> {
    // Of names that are none, nothing is kept.
    const { provider: realm } = await requireRealm(request);
    const username = typedName(request);
    const db = realmDatabase(options.db, realm);
    // Of a cookie that is not signed for the user, nothing is read.
    const deviceId = await knownDevice(db, await signInKey(), request, username);
    const network = clientNetwork(request.ip);
    const asKnown = deviceId && admission.enter(realm, network, username);
    const leave = asKnown || admission.enter(realm, network);
    return leave && { leave, deviceId };
  }

  async function openAttempt(
    request: RealmRequest,
    reply: FastifyReply,
  ): Promise<Attempt | undefined> {
    const { server } = await requireServer(request);
    const pending = await pendingInteraction(server, request, reply);
    const key = await signInKey();
    const db = realmDatabase(options.db, request.params.realm);
    return pending && { db, request, reply, server, ...pending, key, recordSignIn };
  }

  async function show(request: RealmRequest, reply: FastifyReply): Promise<FastifyReply> {
    if (!(await openAttempt(request, reply))) return sendExpired(reply);
    return reply.send(loginPage({ realm: request.params.realm, username: '' }));
  }

  async function submitPassword(
    attempt: Attempt,
    deviceId: string | undefined,
  ): Promise<FastifyReply> {
    const { db, request, reply, key } = attempt;
    const { realm } = request.params;
    const username = typedName(request);
    const target: GuessTarget = { provider: realm, kind: 'password', username, deviceId };
    const site = [siteOf(clientNetwork(request.ip))];
    // Guesses from a known device are counted by it, and keep out no strangers of the same site.
    const strangers = deviceId === undefined ? siteLimiter : undefined;
    const waitSeconds = strangers?.waitSeconds(site) || (await beginAttempt(db, key, target));
    if (waitSeconds > 0) {
      await reportSignIn(attempt, await findTyped(request), 'delayed', username);
      return refuse(request, reply, waitSeconds, 'Too many failed attempts.');
    }
    strangers?.count(site);
    const password = request.body?.password ?? '';
    const user = await authenticateUser(db, realm, username, password, allowDemoCredentials);
    if (!user) {
      await reportSignIn(attempt, await findTyped(request), 'wrong-password', username);
      const error = 'The user name or the password is wrong.';
      return reply
        .code(401)
        .send(loginPage({ realm, username: request.body?.username ?? '', error }));
    }
    strangers?.uncount(site);
    await endAttempts(db, key, target);
    if (await hasSecondFactor(db, { provider: realm, userId: user.id }))
      return askForCode(attempt, user, options);
    const secure = options.publicUrl().startsWith('https:');
    return finishSignIn(attempt, user, ['pwd'], { knownId: deviceId, secure });
  }

  function findTyped(request: RealmRequest) {
    const { realm } = request.params;
    const db = realmDatabase(options.db, realm);
    return findUserByName(db, realm, typedName(request), allowDemoCredentials);
  }
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
