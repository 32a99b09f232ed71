import { createHash } from 'node:crypto';
import { type Browser, openBrowser, type Page } from './browser.ts';
import type { Answer } from './http-client.ts';
import type { TestService } from './test-service.ts';

export type SignedInUser = {
  browser: Browser;
  accessToken: string;
  idToken: string;
  refreshToken: string;
  /** The answer of the token request. */
  tokens: Record<string, unknown>;
  /** Exchanges the refresh token for the next, or for itself while it is new. */
  refresh(): Promise<Answer>;
  /** The answer of the token request of another page of the same browser. */
  openPage(): Promise<Record<string, string>>;
  /** Whether the browser is still signed in. */
  isSignedIn(): Promise<boolean>;
};

type Options = {
  username: string;
  password: string;
  realm?: string;
  /** By default the public client of the console. */
  clientId?: string;
  clientSecret?: string | undefined;
  redirectUri?: string;
  scope?: string;
};

const verifier = 'v'.repeat(43);

/** A person who signs in to an application with a browser. */
export async function signInUser(service: TestService, options: Options): Promise<SignedInUser> {
  const { realm = 'DE-ABC', clientId = 'motorpool-console', clientSecret } = options;
  const credentials = {
    client_id: clientId,
    ...(clientSecret !== undefined && { client_secret: clientSecret }),
  };
  const redirectUri = options.redirectUri ?? `${service.url}/console/signed-in`;
  const paths = `${service.url}/realms/${realm}/protocol/openid-connect`;
  const browser = openBrowser(service.url);
  const authorize = () => {
    const query = new URLSearchParams({
      client_id: clientId,
      redirect_uri: redirectUri,
      response_type: 'code',
      scope: options.scope ?? 'openid profile',
      code_challenge: createHash('sha256').update(verifier).digest('base64url'),
      code_challenge_method: 'S256',
    });
    return browser.visit(`${paths}/auth?${query}`);
  };
  const requestTokens = (parameters: Record<string, string>) =>
    service.send({
      method: 'POST',
      path: `/realms/${realm}/protocol/openid-connect/token`,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ ...credentials, ...parameters }).toString(),
    });

  const { username, password } = options;
  const returned = await browser.submit(await authorize(), { username, password });
  const redeem = async ({ url, text }: Page) => {
    const code = new URL(url).searchParams.get('code');
    if (code === null) throw new Error(`${username} could not sign in: ${text}`);
    const { json } = await requestTokens({
      grant_type: 'authorization_code',
      code,
      redirect_uri: redirectUri,
      code_verifier: verifier,
    });
    return json;
  };
  const json = await redeem(returned);
  let refreshToken: string = json.refresh_token;
  return {
    browser,
    accessToken: json.access_token,
    idToken: json.id_token,
    refreshToken: json.refresh_token,
    tokens: json,
    async refresh() {
      const answer = await requestTokens({
        grant_type: 'refresh_token',
        refresh_token: refreshToken,
      });
      refreshToken = answer.json.refresh_token ?? refreshToken;
      return answer;
    },
    openPage: async () => redeem(await authorize()),
    isSignedIn: async () => new URL((await authorize()).url).searchParams.has('code'),
  };
}
