import { createHash } from 'node:crypto';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { statusPagePath } from './oidc-configuration.ts';
import { inPageTurn } from './page-turns.ts';
import { originsOf } from './realm-origins.ts';
import { type RealmRequest, type RealmServer, serve } from './realm-route.ts';
import type { Realm } from './realms.ts';
import { sessionStateCookie } from './session-state.ts';

export type SessionPagesOptions = {
  publicUrl: () => string;
  requireRealm(request: RealmRequest): Promise<Realm>;
  requireServer(request: RealmRequest): Promise<RealmServer>;
};

const openidConnect = '/protocol/openid-connect';
const checkCookie = 'cookie_check';

/** The pages that Keycloak's clients load in frames, by which they notice a sign-out: docs/decisions/0047-keycloak-clients.md. */
export function registerSessionPages(scope: FastifyInstance, options: SessionPagesOptions): void {
  const { publicUrl, requireRealm, requireServer } = options;

  /** Whether a cookie such as that of the session comes back in a frame of the application. */
  serve(scope, `${openidConnect}/3p-cookies/step1.html`, ['GET'], async (request, reply) => {
    await requireRealm(request);
    const path = `/realms/${request.params.realm}${openidConnect}/3p-cookies`;
    const secure = publicUrl().startsWith('https:') ? '; Secure' : '';
    return reply
      .header(
        'set-cookie',
        `${checkCookie}=1; Path=${path}; Max-Age=60; HttpOnly; SameSite=Lax${secure}`,
      )
      .redirect('step2.html', 303);
  });

  serve(scope, `${openidConnect}/3p-cookies/step2.html`, ['GET'], async (request, reply) => {
    await requireRealm(request);
    const cameBack = (request.headers.cookie ?? '').includes(`${checkCookie}=1`);
    const script = `parent.postMessage('${cameBack ? 'supported' : 'unsupported'}', '*');`;
    return sendFramed(reply, script);
  });

  serve(scope, statusPagePath, ['GET'], async (request, reply) => {
    await requireRealm(request);
    return sendFramed(reply, statusScript);
  });

  /** Whether a client has pages of an origin. */
  serve(scope, `${statusPagePath}/init`, ['GET'], async (request, reply) => {
    const { server } = await requireServer(request);
    const { client_id, origin } = request.query as Record<string, unknown>;
    const client = await inPageTurn(request, () => server.Client.find(String(client_id)));
    const known = originsOf(client?.redirectUris ?? []);
    return reply.code(known.includes(String(origin)) ? 204 : 403).send();
  });
}

/**
 * Sends a page that any other can frame: a list of those that may would tell anybody where the applications of a realm are. There is
 * nothing to click on it, and its script tells pages of the client alone.
 */
function sendFramed(reply: FastifyReply, script: string): FastifyReply {
  const hash = createHash('sha256').update(script).digest('base64');
  return reply
    .removeHeader('x-frame-options')
    .header('cross-origin-resource-policy', 'cross-origin')
    .header(
      'content-security-policy',
      `default-src 'none'; script-src 'sha256-${hash}'; connect-src 'self'; base-uri 'none'`,
    )
    .send(
      `<!doctype html>\n<meta charset="utf-8">\n<title>Session</title>\n<script>${script}</script>\n`,
    );
}

/** Answers `client session` with whether that is the session of this browser, to pages of the client alone. */
const statusScript = `const checked = new Map();
const isOfClient = async (client, origin) => {
  const query = new URLSearchParams({ client_id: client, origin });
  return (await fetch('login-status-iframe.html/init?' + query)).status === 204;
};
const currentSession = () => /(?:^|; )${sessionStateCookie}=([^;]*)/.exec(document.cookie)?.[1] ?? '';
addEventListener('message', async ({ data, origin, source }) => {
  if (source !== parent || typeof data !== 'string' || !data.includes(' ')) return;
  const [client, session] = data.split(' ');
  const key = client + ' ' + origin;
  if (!checked.has(key)) checked.set(key, isOfClient(client, origin).catch(() => false));
  const isAllowed = await checked.get(key);
  if (!isAllowed) checked.delete(key);
  const state = currentSession() === session ? 'unchanged' : 'changed';
  source.postMessage(isAllowed ? state : 'error', origin);
});`;
