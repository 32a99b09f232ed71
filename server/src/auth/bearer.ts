import {
  createLocalJWKSet,
  decodeJwt,
  decodeProtectedHeader,
  errors,
  type JWTPayload,
  type JWTVerifyGetKey,
  jwtVerify,
  type ProtectedHeaderParameters,
} from 'jose';
import { LRUCache } from 'lru-cache';
import { forbidden } from '../platform/http/problem.ts';
import { publicPart, type Realm, type Realms } from './realms.ts';

type Principal = { provider: string; clientId: string; subject: string };

/** Where the keys of a realm come from: our own, or an external server's. */
export type TokenIssuer = {
  /** The realm that an `iss` claim names, if it is one of ours. */
  realmOf(issuer: string): string | undefined;
  issuerOf(provider: string): string;
  keysOf(realm: Realm): JWTVerifyGetKey;
  /** Whether a key may still vouch for the realm's tokens. */
  trusts(realm: Realm, keyId: string | undefined): boolean;
};

type Verified = Principal & { expires: number; keyId: string | undefined };

const maxRemembered = 20_000;

/**
 * Checks bearer tokens; a token once verified costs no signature check until it expires, and no promise
 * while its realm is remembered.
 */
export type BearerCheck = (token: string) => Principal | undefined | Promise<Principal | undefined>;

export function createBearerCheck(realms: Realms, issuer: TokenIssuer): BearerCheck {
  const remembered = new LRUCache<string, Verified>({ max: maxRemembered });

  /** A verified token can still be expired or revoked, and its provider disabled. */
  function admit(
    token: string,
    verified: Verified,
    realm: Realm | undefined,
  ): Principal | undefined {
    if (verified.expires <= Date.now() / 1_000) {
      remembered.delete(token);
      return undefined;
    }
    if (!realm || realm.disabledClients.has(verified.clientId)) return undefined;
    if (!issuer.trusts(realm, verified.keyId)) return undefined;
    if (realm.disabled) throw forbidden();
    return verified;
  }

  async function checkNew(token: string): Promise<Principal | undefined> {
    const verified = remembered.get(token) ?? (await verify(token, realms, issuer));
    if (!verified) return undefined;
    const principal = admit(token, verified, await realms.find(verified.provider));
    if (principal) remembered.set(token, verified);
    return principal;
  }

  return function check(token) {
    const known = remembered.get(token);
    const realm = known && realms.remembered(known.provider);
    return known && realm ? admit(token, known, realm) : checkNew(token);
  };
}

async function verify(
  token: string,
  realms: Realms,
  issuer: TokenIssuer,
): Promise<Verified | undefined> {
  const { keyId, claimedIssuer } = unverified(token);
  const provider = claimedIssuer && issuer.realmOf(claimedIssuer);
  let realm = provider && (await realms.find(provider));
  // Another process may have rotated the key within the second that we remember the realm for.
  if (realm && !issuer.trusts(realm, keyId)) realm = await realms.refresh(realm.provider);
  if (!realm) return undefined;
  try {
    const { payload, protectedHeader } = await jwtVerify(token, issuer.keysOf(realm), {
      algorithms: ['RS256'],
      issuer: issuer.issuerOf(realm.provider),
      requiredClaims: ['exp'],
      // For an issuer whose clock runs ahead of ours; expiry is checked once more without it.
      clockTolerance: 10,
    });
    if (!isAccessToken(protectedHeader, payload)) return undefined;
    return {
      provider: realm.provider,
      clientId: String(payload.client_id ?? payload.azp ?? ''),
      subject: payload.sub ?? '',
      expires: payload.exp ?? 0,
      keyId,
    };
  } catch (error) {
    if (error instanceof errors.JOSEError) return undefined;
    throw error;
  }
}

/** Ours say so in the header (RFC 9068), Keycloak's in the payload; ID and refresh tokens say otherwise. */
function isAccessToken({ typ }: ProtectedHeaderParameters, payload: JWTPayload): boolean {
  return typ?.toLowerCase() === 'at+jwt' || payload.typ === 'Bearer';
}

function unverified(token: string): { keyId?: string; claimedIssuer?: string } {
  try {
    const { kid } = decodeProtectedHeader(token);
    const { iss } = decodeJwt(token);
    // Nobody has vouched for it yet, so it need not be the text that its type says it is.
    return { keyId: kid, claimedIssuer: typeof iss === 'string' ? iss : undefined };
  } catch {
    return {};
  }
}

/** Tokens of our own authorization server. */
export function ownIssuer(publicUrl: () => string): TokenIssuer {
  const sets = new Map<string, { version: string; keys: JWTVerifyGetKey }>();
  const issuerOf = (provider: string) => `${publicUrl()}/realms/${provider}`;
  return {
    issuerOf,
    trusts: (realm, keyId) => realm.keys.some((key) => key.kid === keyId),
    realmOf(issuer) {
      const provider = issuer.slice(issuer.lastIndexOf('/') + 1);
      return issuer === issuerOf(provider) ? provider : undefined;
    },
    keysOf(realm) {
      const known = sets.get(realm.provider);
      if (known?.version === realm.version) return known.keys;
      const keys = createLocalJWKSet({ keys: realm.keys.map(publicPart) });
      sets.set(realm.provider, { version: realm.version, keys });
      return keys;
    },
  };
}
