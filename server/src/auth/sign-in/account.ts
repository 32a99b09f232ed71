import { randomBytes } from 'node:crypto';
import type { FastifyInstance, FastifyReply } from 'fastify';
import type { Provider } from 'oidc-provider';
import { renderSVG } from 'uqr';
import type { Database } from '../../platform/db/database.ts';
import { accountClient } from '../built-in-clients.ts';
import { inPageTurn } from '../page-turns.ts';
import { errorPage } from '../pages.ts';
import { realmDatabase } from '../realm-database.ts';
import { type RealmRequest, serve } from '../realm-route.ts';
import { type CheckedUser, findUser } from '../users.ts';
import { enrolmentPage, recoveryCodesPage, removalPage } from './account-pages.ts';
import type { SignInOptions } from './attempt.ts';
import { beginAttempt, endAttempts, type GuessTarget } from './failures.ts';
import { knownDevice, rememberDevice } from './known-device.ts';
import { isOfApplication, type ProfileOptions, sendProfile } from './profile.ts';
import {
  addSecondFactor,
  type ChangedFactor,
  hasSecondFactor,
  redeemCode,
  removeSecondFactor,
} from './second-factor.ts';
import type { SignInKey } from './sign-in-key.ts';
import { matchingStep, otpauthUri, toBase32 } from './totp.ts';

/** Who signed in longer ago is asked again, so that nobody changes it on a screen that was left alone. */
const maxSignInAgeSeconds = 600;
const secretBytes = 20;
const busyRetrySeconds = 1;

type Visit = {
  /** For the statements of the realm. */
  db: Database;
  request: RealmRequest;
  reply: FastifyReply;
  realm: string;
  user: CheckedUser;
  /** Of the library's session; forms of another one are refused. */
  session: string;
  key: SignInKey;
};

/** The page on which a person adds and removes the second factor. */
export function registerAccount(
  scope: FastifyInstance,
  options: SignInOptions & ProfileOptions,
): void {
  const { requireServer, allowDemoCredentials, signInKey, publicUrl } = options;
  /** The users whose forms are being answered. */
  const submitting = new Set<string>();

  serve(scope, '/account', ['GET', 'POST', 'OPTIONS'], async (request, reply) => {
    const { server } = await requireServer(request);
    if (isOfApplication(request)) return sendProfile(request, reply, options);
    const visit = await inPageTurn(request, () => openVisit(server, request, reply));
    if (!visit) return signIn(request, reply);
    if (request.method === 'POST') return submitInTurn(visit);
    // Without the code of the sign-in, which is not needed: the session is enough.
    if (request.raw.url?.includes('?')) return reply.redirect(accountPath(request), 303);
    return show(visit);
  });

  async function openVisit(
    server: Provider,
    request: RealmRequest,
    reply: FastifyReply,
  ): Promise<Visit | undefined> {
    const { realm } = request.params;
    const db = realmDatabase(options.db, realm);
    const context = server.createContext(request.raw, reply.raw);
    const { accountId, uid, loginTs = 0 } = await server.Session.get(context);
    const user = accountId && (await findUser(db, realm, accountId, allowDemoCredentials));
    if (!user || loginTs < Date.now() / 1_000 - maxSignInAgeSeconds) return undefined;
    return { db, request, reply, realm, user, session: uid, key: await signInKey() };
  }

  function signIn(request: RealmRequest, reply: FastifyReply): FastifyReply {
    const hasReturned = request.raw.url?.includes('?');
    if (hasReturned || request.method === 'POST') {
      const description = hasReturned
        ? 'You could not be signed in: the browser may not keep cookies.'
        : 'Too much time has passed. Open the page of your account again.';
      return reply.code(400).send(errorPage('invalid_request', description));
    }
    const parameters = new URLSearchParams({
      client_id: accountClient,
      redirect_uri: publicUrl() + accountPath(request),
      response_type: 'code',
      scope: 'openid',
      prompt: 'login',
      // Required, though nobody redeems the code.
      code_challenge: randomBytes(32).toString('base64url'),
      code_challenge_method: 'S256',
    });
    const path = `/realms/${request.params.realm}/protocol/openid-connect/auth`;
    return reply.redirect(`${path}?${parameters}`, 303);
  }

  /** The database, with who visits as the actor of its changes. */
  function actingAs({ db, request, user: { id: subject, username } }: Visit): Database {
    const { ip: address, id: requestId } = request;
    const operation = 'changeSecondFactor';
    return db.actingAs({
      kind: 'user',
      clientId: accountClient,
      subject,
      username,
      address,
      requestId,
      operation,
    });
  }

  async function show(visit: Visit, error?: string): Promise<FastifyReply> {
    const { db, reply, realm, user } = visit;
    const { username } = user;
    const isEnrolled = await hasSecondFactor(db, { provider: realm, userId: user.id });
    if (isEnrolled) return reply.send(removalPage({ realm, username, error }));
    return showEnrolment(visit, randomBytes(secretBytes), error);
  }

  function showEnrolment(visit: Visit, secret: Buffer, error?: string): FastifyReply {
    const { reply, realm, user, key } = visit;
    const uri = otpauthUri(secret, `Motorpool ${realm}`, user.username);
    const encoded = secret.toString('base64url');
    const enrolment = `${encoded}.${key.sign(enrolmentParts(visit, encoded))}`;
    const { username } = user;
    const text = toBase32(secret);
    const image = renderSVG(uri, { border: 2 });
    return reply.send(enrolmentPage({ realm, username, enrolment, uri, text, image, error }));
  }

  /** One of a user at a time: each takes several statements, of which the others of the realm have to wait for few. */
  async function submitInTurn(visit: Visit): Promise<FastifyReply> {
    const name = `${visit.realm} ${visit.user.id}`;
    if (submitting.has(name)) {
      visit.reply.code(429).header('retry-after', busyRetrySeconds);
      return visit.reply.send(errorPage('temporarily_unavailable', 'Another change is under way.'));
    }
    submitting.add(name);
    try {
      return await submit(visit);
    } finally {
      submitting.delete(name);
    }
  }

  async function submit(visit: Visit): Promise<FastifyReply> {
    const { enrolment, removal, code = '' } = visit.request.body ?? {};
    if (enrolment !== undefined) return enrol(visit, enrolment, code);
    // For any site that asks for it, the library posts the answer to a sign-in here, whose code is no guess.
    return removal === undefined ? show(visit) : remove(visit, code);
  }

  async function enrol(visit: Visit, enrolment: string, code: string): Promise<FastifyReply> {
    const { reply, realm, user, key } = visit;
    const [encoded = '', signature = ''] = enrolment.split('.');
    if (!key.isSigned(enrolmentParts(visit, encoded), signature)) return show(visit);
    const secret = Buffer.from(encoded, 'base64url');
    const step = matchingStep(secret, code.replaceAll(/\s/g, ''), Date.now());
    if (step === undefined) {
      reply.code(400);
      return showEnrolment(visit, secret, 'The code is wrong: is the clock of your device right?');
    }
    const owner = { provider: realm, userId: user.id };
    const added = { secret, confirmedStep: step, session: visit.session };
    const changed = await addSecondFactor(actingAs(visit), key, owner, added);
    if (!changed) return show(visit);
    logChange(visit, 'added');
    keepDevice(visit, changed);
    const { codes } = changed;
    return reply.send(recoveryCodesPage({ realm, username: user.username, codes }));
  }

  async function remove(visit: Visit, code: string): Promise<FastifyReply> {
    const { db, request, reply, realm, user, key } = visit;
    const { username } = user;
    const deviceId = await knownDevice(db, key, request, username);
    const target: GuessTarget = { provider: realm, kind: 'code', username, deviceId };
    const waitSeconds = await beginAttempt(db, key, target);
    if (waitSeconds > 0) {
      reply.code(429).header('retry-after', waitSeconds);
      return show(visit, `Too many failed attempts. Try again in ${waitSeconds} seconds.`);
    }
    const owner = { provider: realm, userId: user.id };
    if (!(await redeemCode(db, key, owner, code))) {
      reply.code(400);
      return show(visit, 'The code is wrong or was used already.');
    }
    await endAttempts(db, key, target);
    const changed = await actingAs(visit).transaction((tx) => removeSecondFactor(tx, owner));
    logChange(visit, 'removed');
    keepDevice(visit, changed);
    return reply.redirect(accountPath(request), 303);
  }

  /** Of all devices, the one on which the second factor is changed stays known. */
  function keepDevice({ request, reply, user, key }: Visit, { version }: ChangedFactor): void {
    const secure = publicUrl().startsWith('https:');
    rememberDevice(key, request, reply, { ...user, version }, { knownId: undefined, secure });
  }
}

function accountPath({ params }: RealmRequest): string {
  return `/realms/${params.realm}/account`;
}

function enrolmentParts({ realm, user, session }: Visit, secret: string): readonly string[] {
  return ['enrolment', realm, user.id, session, secret];
}

function logChange({ request, realm, user }: Visit, change: 'added' | 'removed'): void {
  request.log.info({ realm, address: request.ip, user: user.username, change }, 'second factor');
}
