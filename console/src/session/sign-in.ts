import { ConnectionError } from '@motorpool/client';
import * as oauth from 'oauth4webapi';
import type { Settings } from './settings.ts';

/** A realm's authorization server, as its discovery document describes it. */
export type Realm = {
  provider: string;
  server: oauth.AuthorizationServer;
  client: oauth.Client;
  /** Plain http is for this machine alone, as the service holds it. */
  request: { [oauth.allowInsecureRequests]: boolean };
  redirectUri: string;
  homeUri: string;
};

export type Tokens = {
  accessToken: string;
  refreshToken: string | undefined;
  idToken: string | undefined;
  expiresAt: number;
};

/** There is no such provider, or it is disabled. */
export class UnknownRealm extends Error {}

const storageKey = 'motorpool-sign-in';
const scope = 'openid profile email';

type Pending = {
  provider: string;
  verifier: string;
  state: string;
  nonce: string;
  returnTo: string;
};

export async function discoverRealm(settings: Settings, provider: string): Promise<Realm> {
  const issuer = new URL(settings.issuer.replace('{realm}', provider));
  const request = { [oauth.allowInsecureRequests]: issuer.protocol === 'http:' };
  const response = await oauth.discoveryRequest(issuer, request);
  if (response.status === 404) throw new UnknownRealm(provider);
  return {
    provider,
    server: await oauth.processDiscoveryResponse(issuer, response),
    client: { client_id: settings.clientId },
    request,
    redirectUri: `${settings.url}/console/signed-in`,
    homeUri: `${settings.url}/console/`,
  };
}

/** Leaves the page; whoever has a session comes back without a question. */
export async function beginSignIn(realm: Realm, returnTo: string): Promise<never> {
  const { server, client, redirectUri, provider } = realm;
  const pending: Pending = {
    provider,
    verifier: oauth.generateRandomCodeVerifier(),
    state: oauth.generateRandomState(),
    nonce: oauth.generateRandomNonce(),
    returnTo,
  };
  sessionStorage.setItem(storageKey, JSON.stringify(pending));
  const url = new URL(server.authorization_endpoint ?? '');
  url.search = new URLSearchParams({
    client_id: client.client_id,
    redirect_uri: redirectUri,
    response_type: 'code',
    scope,
    state: pending.state,
    nonce: pending.nonce,
    code_challenge: await oauth.calculatePKCECodeChallenge(pending.verifier),
    code_challenge_method: 'S256',
  }).toString();
  location.replace(url);
  return new Promise<never>(() => {});
}

/** The sign-in that this tab has begun; undefined where it has begun none. */
export function pendingSignIn(): Pending | undefined {
  const stored = sessionStorage.getItem(storageKey);
  return stored === null ? undefined : JSON.parse(stored);
}

/** Redeems the code in the address to which the authorization server has returned. */
export async function completeSignIn(realm: Realm, pending: Pending, url: URL): Promise<Tokens> {
  sessionStorage.removeItem(storageKey);
  const { server, client, redirectUri, request } = realm;
  const parameters = oauth.validateAuthResponse(server, client, url, pending.state);
  const response = await oauth.authorizationCodeGrantRequest(
    server,
    client,
    oauth.None(),
    parameters,
    redirectUri,
    pending.verifier,
    request,
  );
  const answer = await oauth.processAuthorizationCodeResponse(server, client, response, {
    expectedNonce: pending.nonce,
    requireIdToken: true,
  });
  return tokensOf(answer);
}

/** Throws a `ConnectionError` where the authorization server has not answered: the session may be as good as before. */
export async function refreshTokens(realm: Realm, tokens: Tokens): Promise<Tokens> {
  const { server, client, request } = realm;
  const { refreshToken, idToken } = tokens;
  if (refreshToken === undefined) throw new Error('There is no refresh token');
  const response = await oauth
    .refreshTokenGrantRequest(server, client, oauth.None(), refreshToken, request)
    .catch((cause) => {
      throw new ConnectionError('No token: there is no answer', { cause });
    });
  if (!(await isAnswer(response))) throw new ConnectionError(`No token: ${response.status}`);
  const next = tokensOf(await oauth.processRefreshTokenResponse(server, client, response));
  return {
    ...next,
    refreshToken: next.refreshToken ?? refreshToken,
    idToken: next.idToken ?? idToken,
  };
}

/** Not that of a proxy, nor of a server that is overloaded or starting. */
async function isAnswer(response: Response): Promise<boolean> {
  if (response.status >= 500 || response.status === 429) return false;
  const json = response.clone().json();
  return json.then(
    () => true,
    () => false,
  );
}

/** Leaves the page, and ends the session at the authorization server. */
export function signOut({ server, client, homeUri }: Realm, tokens: Tokens): void {
  const { end_session_endpoint: endpoint } = server;
  if (endpoint === undefined) {
    location.assign(homeUri);
    return;
  }
  const url = new URL(endpoint);
  url.search = new URLSearchParams({
    client_id: client.client_id,
    post_logout_redirect_uri: homeUri,
    ...(tokens.idToken && { id_token_hint: tokens.idToken }),
  }).toString();
  location.assign(url);
}

function tokensOf(answer: oauth.TokenEndpointResponse): Tokens {
  return {
    accessToken: answer.access_token,
    refreshToken: answer.refresh_token,
    idToken: answer.id_token,
    expiresAt: Date.now() + (answer.expires_in ?? 60) * 1_000,
  };
}
