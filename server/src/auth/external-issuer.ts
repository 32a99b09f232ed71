import { createRemoteJWKSet, errors, type JWTVerifyGetKey } from 'jose';
import { unavailable } from '../platform/http/problem.ts';
import type { TokenIssuer } from './bearer.ts';

const placeholder = '{realm}';
const fetchTimeoutMs = 5_000;
const refetchIntervalMs = 10_000;

/** Tokens of an external authorization server, such as a Keycloak with the same realms. */
export function externalIssuer(template: string): TokenIssuer {
  const keySets = new Map<string, JWTVerifyGetKey>();
  const [before = '', after = ''] = template.split(placeholder);
  const issuerOf = (provider: string) => template.replace(placeholder, provider);
  return {
    issuerOf,
    trusts: () => true,
    realmOf(issuer) {
      if (!issuer.startsWith(before) || !issuer.endsWith(after)) return undefined;
      return issuer.slice(before.length, issuer.length - after.length);
    },
    keysOf({ provider }) {
      let keys = keySets.get(provider);
      if (!keys) {
        keys = remoteKeys(issuerOf(provider));
        keySets.set(provider, keys);
      }
      return keys;
    },
  };
}

type RemoteKeys = ReturnType<typeof createRemoteJWKSet>;

/** Discovered with the first token and cached; fetched again for an unknown key. */
function remoteKeys(issuer: string): JWTVerifyGetKey {
  let discovered: Promise<JWTVerifyGetKey> | undefined;
  return async (header, token) => {
    discovered ??= discover(issuer).then(refetchUnknown, (failure) => {
      discovered = undefined;
      throw failure;
    });
    try {
      const keys = await discovered;
      return await keys(header, token);
    } catch (error) {
      if (
        error instanceof errors.JWKSNoMatchingKey ||
        error instanceof errors.JWKSMultipleMatchingKeys
      )
        throw error;
      throw unavailable(
        'The keys of the authorization server cannot be fetched; try again shortly.',
      );
    }
  };
}

/** Fetches the keys again for an unknown one, at a limited rate, as forged tokens can name any key. */
function refetchUnknown(keys: RemoteKeys): JWTVerifyGetKey {
  let last: { at: number; fetched: Promise<void> } | undefined;
  return async (header, token) => {
    try {
      return await keys(header, token);
    } catch (error) {
      if (!(error instanceof errors.JWKSNoMatchingKey)) throw error;
      if (!last || last.at + refetchIntervalMs < Date.now())
        last = { at: Date.now(), fetched: keys.reload() };
      await last.fetched.catch((failure) => {
        last = undefined;
        throw failure;
      });
      return keys(header, token);
    }
  };
}

async function discover(issuer: string): Promise<RemoteKeys> {
  const response = await fetch(`${issuer}/.well-known/openid-configuration`, {
    signal: AbortSignal.timeout(fetchTimeoutMs),
    redirect: 'error',
  });
  if (!response.ok) throw new Error(`${issuer} answered ${response.status}`);
  const { jwks_uri } = (await response.json()) as { jwks_uri: string };
  return createRemoteJWKSet(new URL(jwks_uri), {
    timeoutDuration: fetchTimeoutMs,
    // `refetchUnknown` does it: the library would not, soon after the first fetch.
    cooldownDuration: Number.POSITIVE_INFINITY,
  });
}
