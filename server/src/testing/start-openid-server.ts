import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { Provider } from 'oidc-provider';

/** An authorization server of somebody else, in which the operator has registered the console. */
export type OpenIdServer = {
  /** With `{realm}` in the place of a realm, of which DE-ABC is there. */
  template: string;
  close(): Promise<void>;
};

const prefix = '/realms/DE-ABC';
const signInPath = `${prefix}/sign-in/`;
const pageOf = (content: string) =>
  `<!doctype html><html lang="en"><title>Another server</title><link rel="icon" href="data:,">${content}</html>`;
const signInPage = pageOf(`<form method="post">
<input name="username"><input name="password" type="password"><button>Sign in</button></form>`);

/** People sign in by the name of a role, which their tokens then have; as `nobody` they have none. */
export async function startOpenIdServer(consoleUrl: () => string): Promise<OpenIdServer> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  // The console is asked for its address when it is there.
  let provider: Provider | undefined;
  server.on('request', async (request: IncomingMessage & { originalUrl?: string }, response) => {
    provider ??= createProvider(url + prefix, consoleUrl());
    const { url: path = '', method } = request;
    if (!path.startsWith(prefix)) response.writeHead(404).end();
    else if (!path.startsWith(signInPath)) {
      request.originalUrl = path;
      request.url = path.slice(prefix.length);
      await provider.callback()(request, response);
    } else if (method === 'POST') {
      const accountId = new URLSearchParams(await text(request)).get('username') ?? '';
      await provider.interactionFinished(request, response, { login: { accountId } });
    } else response.setHeader('content-type', 'text/html').end(signInPage);
  });
  return {
    template: `${url}/realms/{realm}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function createProvider(issuer: string, consoleUrl: string): Provider {
  return new Provider(issuer, {
    clients: [
      {
        client_id: 'motorpool-console',
        token_endpoint_auth_method: 'none',
        grant_types: ['authorization_code', 'refresh_token'],
        redirect_uris: [`${consoleUrl}/console/signed-in`],
        post_logout_redirect_uris: [`${consoleUrl}/console/`],
      },
    ],
    clientBasedCORS: (_ctx, origin) => origin === consoleUrl,
    interactions: { url: (_ctx, { uid }) => signInPath + uid },
    claims: { openid: ['sub'], profile: ['name'], email: ['email'] },
    findAccount: (_ctx, accountId) => ({ accountId, claims: () => ({ sub: accountId }) }),
    // Nobody is asked whether the console may know them.
    async loadExistingGrant({ oidc: { client, session, provider } }) {
      const grant = new provider.Grant({
        clientId: client?.clientId ?? '',
        accountId: session?.accountId ?? '',
      });
      grant.addOIDCScope('openid profile email');
      grant.addResourceScope(issuer, 'profile');
      await grant.save();
      return grant;
    },
    extraTokenClaims: (_ctx, token) => {
      const name = 'accountId' in token ? token.accountId : '';
      return {
        azp: 'motorpool-console',
        preferred_username: name,
        ...(name !== 'nobody' && { realm_access: { roles: [name] } }),
      };
    },
    issueRefreshToken: () => true,
    features: {
      devInteractions: { enabled: false },
      rpInitiatedLogout: {
        logoutSource: (ctx, form) => {
          ctx.body = pageOf(`${form}<button form="op.logoutForm" name="logout">Yes</button>`);
        },
      },
      resourceIndicators: {
        enabled: true,
        defaultResource: () => issuer,
        useGrantedResource: () => true,
        getResourceServerInfo: () => ({
          scope: 'profile',
          audience: 'fleet-interface',
          accessTokenFormat: 'jwt',
          accessTokenTTL: 300,
        }),
      },
    },
  });
}
