import { createPublicKey } from 'node:crypto';
import { createLocalJWKSet, type JSONWebKeySet, type JWK } from 'jose';
import { getBytes } from '../platform/http/get-bytes.ts';
import { scanValue } from '../platform/http/json-scan.ts';
import { unavailable } from '../platform/http/problem.ts';
import { isSecureAddress } from '../platform/http/secure-address.ts';
import type { KeySet } from './bearer.ts';
import { publicPart } from './realms.ts';

export type RemoteKeys = {
  /** Undefined when they must be loaded first. Fetches them in the background before they are too old. */
  current(): KeySet | undefined;
  /** Fetches them when they are too old or lack the key; rejects when they cannot be had. */
  load(keyId: string | undefined): Promise<KeySet>;
};

// Why these: docs/decisions/0005-realms.md.
const renewalMs = 30_000;
const maxAgeMs = 60_000;
const maxAgeWhileDownMs = 600_000;
const firstRetryMs = 1_000;
const retryMs = 10_000;
const fetchTimeoutMs = 5_000;
const maxAnswerBytes = 256 * 1024;
const maxValues = 5_000;
const maxKeys = 100;

/** The keys that an issuer publishes (OpenID Connect Discovery). */
export function createRemoteKeys(issuer: string, onError: (error: unknown) => void): RemoteKeys {
  let keys: (KeySet & { source: string }) | undefined;
  let fetchedAt = 0;
  let last: { startedAt: number; failure?: unknown } | undefined;
  let pending: Promise<void> | undefined;
  let reloadedAt = 0;
  /** In a row. */
  let failures = 0;

  async function attempt(): Promise<void> {
    const startedAt = Date.now();
    try {
      const source = await fetchKeys(issuer);
      // The same object as long as nothing has changed: verified tokens depend on it.
      if (source !== keys?.source) keys = parseKeys(source);
      fetchedAt = startedAt;
      last = { startedAt };
      failures = 0;
    } catch (failure) {
      failures += 1;
      last = { startedAt, failure };
      onError(failure);
    } finally {
      pending = undefined;
    }
  }

  function fetchOnce(): Promise<void> {
    pending ??= attempt();
    return pending;
  }

  function current(): KeySet | undefined {
    if (!keys || !last) return undefined;
    const now = Date.now();
    const sinceAttempt = now - last.startedAt;
    // The last attempt may have failed: known keys then count for longer.
    if (sinceAttempt >= maxAgeMs || now - fetchedAt >= maxAgeWhileDownMs) return undefined;
    if (sinceAttempt >= (last.failure ? retryMs : renewalMs)) void fetchOnce();
    return keys;
  }

  /** After a failure less and less often: anybody's token makes us ask, and the answer may cost more than the token. */
  function mayRetry(): boolean {
    if (pending || !last?.failure) return true;
    return Date.now() - last.startedAt >= Math.min(retryMs, firstRetryMs * 2 ** (failures - 1));
  }

  /** At a limited rate, as forged tokens can name any key. */
  function mayReload(): boolean {
    if (pending || last?.failure) return mayRetry();
    if (Date.now() - reloadedAt < retryMs) return false;
    reloadedAt = Date.now();
    return true;
  }

  return {
    current,
    async load(keyId) {
      let known = current();
      if (known ? !known.has(keyId) && mayReload() : mayRetry()) {
        await fetchOnce();
        known = current();
      }
      if (!known || (last?.failure && !known.has(keyId))) {
        throw unavailable(
          'The keys of the authorization server cannot be fetched; try again shortly.',
          last?.failure,
        );
      }
      return known;
    },
  };
}

/** As text, which tells whether they have changed. */
async function fetchKeys(issuer: string): Promise<string> {
  const discovered = JSON.parse(await fetchText(`${issuer}/.well-known/openid-configuration`));
  if (discovered?.issuer !== issuer) {
    throw new Error(
      `the issuer in the metadata of ${issuer} is another: ${start(discovered?.issuer)}`,
    );
  }
  const { jwks_uri: address } = discovered;
  if (typeof address !== 'string' || address.length > 2_000 || !isSecureAddress(address)) {
    throw new Error(
      `the jwks_uri in the metadata of ${issuer} is neither https nor on this machine: ${start(address)}`,
    );
  }
  return fetchText(address);
}

/** For the log: what an issuer answers may be long. */
function start(value: unknown): string {
  return String(value).slice(0, 200);
}

async function fetchText(address: string): Promise<string> {
  const bytes = await getBytes(address, { maxBytes: maxAnswerBytes, timeoutMs: fetchTimeoutMs });
  // An issuer answers for its own realm, and is not to keep those of others waiting while it is parsed.
  if (scanValue(bytes).values > maxValues)
    throw new Error(`${address} answered more than ${maxValues} values`);
  return bytes.toString('utf8');
}

function parseKeys(source: string): KeySet & { source: string } {
  const { keys: published }: JSONWebKeySet = JSON.parse(source);
  if (!Array.isArray(published)) throw new Error('the issuer publishes no list of keys');
  if (published.length > maxKeys) throw new Error(`the issuer publishes more than ${maxKeys} keys`);
  // Other members would fail the verification of a token, where they are damaged.
  const keys = published.filter(isUsable).map(publicPart);
  const find = createLocalJWKSet({ keys });
  const ids = new Set(keys.map(({ kid }) => kid));
  return {
    source,
    find,
    // A token need not name its key where the issuer has only one.
    has: (keyId) => keyId === undefined || ids.has(keyId),
  };
}

const minModulusBits = 2_048;
// 8,192 and 32 bits, in base64url: whoever forges a token makes us verify it, which takes the longer, the longer these are.
const maxModulusCharacters = 1_366;
const maxExponentCharacters = 6;

/** What is damaged, too weak or of another kind would fail the verification of a token, rather than the token. */
function isUsable(key: JWK): boolean {
  if (key?.kty !== 'RSA') return false;
  if (!isShort(key.n, maxModulusCharacters) || !isShort(key.e, maxExponentCharacters)) return false;
  try {
    const { asymmetricKeyType, asymmetricKeyDetails } = createPublicKey({ key, format: 'jwk' });
    return (
      asymmetricKeyType === 'rsa' && (asymmetricKeyDetails?.modulusLength ?? 0) >= minModulusBits
    );
  } catch {
    return false;
  }
}

function isShort(text: unknown, maxCharacters: number): boolean {
  return typeof text === 'string' && text.length <= maxCharacters;
}
