import { ConnectionError, TokenError } from './errors.ts';
import { isTransient, pause, pauseBefore } from './retry.ts';

/** Where the bearer tokens come from. */
export type TokenSource = {
  token(): Promise<string>;
  /** The service has refused the token: the next is another. */
  refuse(token: string): void;
};

type Credentials = {
  fetch: typeof fetch;
  /** The token endpoint. */
  url: string;
  clientId: string;
  clientSecret: string;
  retries: number;
  timeoutMs: number;
};

/** Tokens of the client credentials grant: one request for many callers, and a new one before the last expires. */
export function clientCredentials(credentials: Credentials): TokenSource {
  let current: { token: string; renewAt: number } | undefined;
  let pending: Promise<string> | undefined;
  const renew = async () => {
    const { access_token, expires_in } = await requestToken(credentials);
    current = { token: access_token, renewAt: Date.now() + expires_in * 1000 * renewedAfter };
    return access_token;
  };
  return {
    async token() {
      if (current && Date.now() < current.renewAt) return current.token;
      pending ??= renew().finally(() => {
        pending = undefined;
      });
      return pending;
    },
    refuse(token) {
      if (current?.token === token) current = undefined;
    },
  };
}

/** The part of its life after which a token is replaced: clocks differ, and requests take their time. */
const renewedAfter = 0.8;

type TokenAnswer = { access_token: string; expires_in: number };

async function requestToken(credentials: Credentials): Promise<TokenAnswer> {
  const { clientId, clientSecret, retries, timeoutMs } = credentials;
  for (let attempt = 0; ; attempt++) {
    const signal = AbortSignal.timeout(timeoutMs);
    let response: Response | undefined;
    try {
      response = await credentials.fetch(credentials.url, {
        method: 'POST',
        body: new URLSearchParams({
          grant_type: 'client_credentials',
          client_id: clientId,
          client_secret: clientSecret,
        }),
        signal,
        // The secret goes nowhere else.
        redirect: 'manual',
      });
      if (response.ok) return await tokenAnswerOf(response, credentials.url);
    } catch (cause) {
      if (cause instanceof TokenError) throw cause;
      if (attempt >= retries)
        throw new ConnectionError(`No token: ${credentials.url} does not answer`, { cause });
    }
    const wait = pauseBefore(attempt, response);
    if (response && (attempt >= retries || wait === undefined || !isTransient(response.status)))
      throw await tokenErrorOf(response, credentials.url);
    await pause(wait ?? 0, undefined);
  }
}

async function tokenAnswerOf(response: Response, url: string): Promise<TokenAnswer> {
  const body = parse(await response.text()) as Partial<TokenAnswer>;
  const { access_token, expires_in } = body;
  if (typeof access_token === 'string' && typeof expires_in === 'number')
    return { access_token, expires_in };
  throw new TokenError(response.status, 'server_error', `${url} answered without a token`);
}

async function tokenErrorOf(response: Response, url: string): Promise<TokenError> {
  const body = parse(await response.text().catch(() => ''));
  const { error, error_description } = body as { error?: string; error_description?: string };
  return error === undefined
    ? new TokenError(response.status, 'server_error', `${url} is no token endpoint of a realm`)
    : new TokenError(response.status, error, error_description);
}

/** An object without properties for what is none, such as the page of a proxy. */
function parse(text: string): object {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : {};
  } catch {
    return {};
  }
}
