import type { FastifyInstance, FastifyReply } from 'fastify';
import { errors, type Provider } from 'oidc-provider';
import type { Database } from '../../platform/db/database.ts';
import { clientNetwork } from '../../platform/http/client-network.ts';
import { createFailedLoginLimiter } from '../failed-login-limiter.ts';
import { errorPage, loginPage } from '../pages.ts';
import { type RealmRequest, type RealmServer, serve } from '../realm-route.ts';
import { authenticateUser } from '../users.ts';
import { createAdmission } from './admission.ts';

export type SignInOptions = {
  db: Database;
  requireServer(request: RealmRequest): Promise<RealmServer>;
  allowDemoCredentials: boolean;
};

const retrySeconds = 2;

/** The login page, to which the OpenID library redirects. */
export function registerSignInForm(scope: FastifyInstance, options: SignInOptions): void {
  const { db, requireServer, allowDemoCredentials } = options;
  const passwordLimiter = createFailedLoginLimiter();
  const admission = createAdmission();

  serve(scope, '/login/:uid', ['GET', 'POST'], async (request, reply) => {
    if (request.method !== 'POST') return show(request, reply);
    const leave = admission.enter(clientNetwork(request.ip), false);
    if (!leave) return refuse(request, reply, retrySeconds, 'The service is busy.');
    try {
      return await submit(request, reply);
    } finally {
      leave();
    }
  });

  async function show(request: RealmRequest, reply: FastifyReply): Promise<FastifyReply> {
    const { server } = await requireServer(request);
    if (!(await isSigningIn(server, request, reply))) return expired(reply);
    return reply.send(loginPage({ realm: request.params.realm, username: '' }));
  }

  async function submit(request: RealmRequest, reply: FastifyReply): Promise<FastifyReply> {
    const { realm } = request.params;
    const { server } = await requireServer(request);
    if (!(await isSigningIn(server, request, reply))) return expired(reply);

    const { username = '', password = '' } = request.body ?? {};
    const target = [realm, username.toLowerCase(), request.ip];
    const waitSeconds = passwordLimiter.waitSeconds(target);
    if (waitSeconds > 0) return refuse(request, reply, waitSeconds, 'Too many failed attempts.');
    // Counted before the check, so that concurrent attempts cannot exceed the limit.
    passwordLimiter.failed(target);
    const user = await authenticateUser(db, realm, username, password, allowDemoCredentials);
    if (!user) {
      const error = 'The user name or the password is wrong.';
      return reply.code(401).send(loginPage({ realm, username, error }));
    }
    passwordLimiter.succeeded(target);
    const next = await server.interactionResult(request.raw, reply.raw, {
      login: { accountId: user.id },
    });
    return reply.redirect(next, 303);
  }
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
