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
import { atMost } from '../platform/cache-bound.ts';
import { isNetwork } from '../platform/http/networks.ts';
import { type Principal, type Role, roles } from '../platform/http/principal.ts';
import { forbidden } from '../platform/http/problem.ts';
import { isStorable } from '../platform/http/storable-text.ts';
import { maxCachedRealms, publicPart, type Realm, type Realms } from './realms.ts';
import {
  clientRevocationClaim,
  grantClaim,
  networksClaim,
  revocationClaim,
} from './token-claims.ts';

/** The issuer of the realms' tokens: our own authorization server, or an external one. */
export type TokenIssuer = {
  /** The realm of an `iss` claim, if it can be one. */
  realmOf(issuer: string): string | undefined;
  issuerOf(provider: string): string;
  /** A token is for one of them, where they are given. */
  audiences?: readonly string[];
  /** Whether it issues the tokens of a client to a user of its own, named after the client, as Keycloak does. */
  hasServiceAccounts?: boolean;
  /** Undefined when they must be loaded first. */
  keysOf(realm: Realm): KeySet | undefined;
  /** Loads them where they are missing, too old, or lack the key of a token. */
  loadKeys(realm: Realm, keyId: string | undefined): Promise<KeySet | undefined>;
};

/** The keys of a realm; another object once they have changed. */
export type KeySet = { has(keyId: string | undefined): boolean; find: JWTVerifyGetKey };

type Verified = Principal & {
  /** In seconds. */
  issued: number;
  expires: number;
  keys: KeySet;
};

const maxCachedTokens = 20_000;
const maxCachedBytes = 32 * 1_024 * 1_024;
/** An integer of PostgreSQL. */
const maxVersion = 2 ** 31 - 1;
/** What is remembered of a token beside its text. */
const verifiedBytes = 500;

/** Synchronous for a token that was verified before, while its realm is cached: docs/decisions/0025-hot-path.md. */
export type BearerCheck = (
  token: string,
  /** When it must not have expired; now, if it is not given. */
  unexpiredAt?: number,
) => Principal | undefined | Promise<Principal | undefined>;

/** `defaultRole` is that of a token without one. */
export function createBearerCheck(
  realms: Realms,
  issuer: TokenIssuer,
  defaultRole: Role | undefined,
): BearerCheck {
  const cache = new LRUCache<string, Verified>({
    maxSize: maxCachedBytes,
    // Its share at least, which bounds their number.
    sizeCalculation: (_, token) =>
      Math.max(token.length + verifiedBytes, Math.ceil(maxCachedBytes / maxCachedTokens)),
  });

  /** A verified token can still be expired or revoked, and its provider disabled. */
  function authorize(
    token: string,
    verified: Verified,
    realm: Realm | undefined,
    unexpiredAt: number,
  ): Principal | undefined {
    if (verified.expires <= unexpiredAt / 1_000) {
      cache.delete(token);
      return undefined;
    }
    if (!realm || realm.disabledClients.has(verified.clientId)) return undefined;
    if (isRevoked(verified, realm)) return undefined;
    if (realm.disabled) throw forbidden();
    return verified;
  }

  async function verifyAndCache(
    token: string,
    unexpiredAt: number,
  ): Promise<Principal | undefined> {
    const cached = cache.get(token);
    const known = cached && (await realms.find(cached.provider));
    // What is over needs no keys, which an issuer that is away does not give.
    if (known && !authorize(token, cached, known, unexpiredAt)) return undefined;
    const isCurrent = known && issuer.keysOf(known) === cached.keys;
    const verified = isCurrent
      ? cached
      : await verify(token, realms, issuer, defaultRole, unexpiredAt);
    if (!verified) return undefined;
    const realm = await realms.find(verified.provider);
    const principal = authorize(token, verified, realm, unexpiredAt);
    if (principal) cache.set(token, verified);
    return principal;
  }

  return function check(token, unexpiredAt = Date.now()) {
    const cached = cache.get(token);
    const realm = cached && realms.cached(cached.provider);
    // A key may have been withdrawn since.
    const isCurrent = realm && issuer.keysOf(realm) === cached.keys;
    return isCurrent
      ? authorize(token, cached, realm, unexpiredAt)
      : verifyAndCache(token, unexpiredAt);
  };
}

function isRevoked(verified: Verified, realm: Realm): boolean {
  const { revocations, revokedTokens, refusedBefore } = realm;
  const { version, subject, clientVersion, clientId } = verified;
  if (revokedTokens.size > 0 && revokedTokens.has(verified.tokenId)) return true;
  if (revocations.size === 0) return false;
  if (verified.issued < refusedBefore) return true;
  return (
    version < (revocations.get(subject) ?? 0) || clientVersion < (revocations.get(clientId) ?? 0)
  );
}

async function verify(
  token: string,
  realms: Realms,
  issuer: TokenIssuer,
  defaultRole: Role | undefined,
  unexpiredAt: number,
): Promise<Verified | undefined> {
  if (!isCanonical(token)) return undefined;
  const { keyId, claimedIssuer } = decodeUnverified(token);
  const provider = claimedIssuer && issuer.realmOf(claimedIssuer);
  const realm = provider ? await realms.find(provider) : undefined;
  if (!realm) return undefined;
  const keys = await issuer.loadKeys(realm, keyId);
  if (!keys?.has(keyId)) return undefined;
  try {
    const { payload, protectedHeader } = await jwtVerify(token, keys.find, {
      algorithms: ['RS256'],
      issuer: issuer.issuerOf(realm.provider),
      requiredClaims: ['exp'],
      currentDate: new Date(unexpiredAt),
      // For an issuer whose clock runs ahead; `authorize` checks the expiry without it.
      clockTolerance: 10,
    });
    if (!isAccessToken(protectedHeader, payload)) return undefined;
    if (issuer.audiences && !isFor(issuer.audiences, payload)) return undefined;
    const clientId = textOf(payload.client_id ?? payload.azp);
    const { sub: subject } = payload;
    // An external issuer may name them as it likes, but has to: without a subject, all would be the same one.
    if (typeof subject !== 'string' || subject === '') return undefined;
    if (!isStorable(subject) || !isStorable(clientId)) return undefined;
    const version = versionOf(payload[revocationClaim] ?? 0);
    return {
      provider: realm.provider,
      kind: isOfClient(payload, clientId, issuer) ? 'client' : 'user',
      clientId,
      subject,
      roles: rolesOf(payload, defaultRole),
      networks: networksOf(payload),
      version,
      clientVersion: versionOf(payload[clientRevocationClaim] ?? version),
      tokenId: textOf(payload[grantClaim] ?? payload.jti),
      issued: payload.iat ?? 0,
      expires: payload.exp ?? 0,
      keys,
    };
  } catch (error) {
    if (error instanceof errors.JOSEError) return undefined;
    throw error;
  }
}

/** An external issuer may send anything. */
function textOf(claim: unknown): string {
  return typeof claim === 'string' ? claim : '';
}

/** One that is none is older than whatever was revoked. */
function versionOf(claim: unknown): number {
  const isVersion = Number.isInteger(claim) && Math.abs(Number(claim)) <= maxVersion;
  return isVersion ? Number(claim) : -1;
}

/** Our tokens have their type in the header (RFC 9068), Keycloak's in the payload. */
function isAccessToken({ typ }: ProtectedHeaderParameters, payload: JWTPayload): boolean {
  const isTyped = typeof typ === 'string' && /^(application\/)?at\+jwt$/i.test(typ);
  return isTyped || payload.typ === 'Bearer';
}

/** Keycloak names the client in `azp`, and an API in `aud` only where it was told to. */
function isFor(audiences: readonly string[], { aud, azp }: JWTPayload): boolean {
  return [aud, azp].flat().some((name) => typeof name === 'string' && audiences.includes(name));
}

/** Among the users of our own realms, anybody may have the name of a service account. */
function isOfClient(
  { sub, preferred_username }: JWTPayload,
  clientId: string,
  { hasServiceAccounts = false }: TokenIssuer,
): boolean {
  if (sub === clientId) return true;
  return hasServiceAccounts && preferred_username === `service-account-${clientId}`;
}

/** In Keycloak's claim, among roles that mean nothing here. An empty list permits nothing: it is no missing one. */
function rolesOf({ realm_access }: JWTPayload, defaultRole: Role | undefined): Role[] {
  const { roles: named } = (realm_access ?? {}) as { roles?: unknown };
  if (Array.isArray(named) && named.length === 0) return [];
  const known = roles.filter((role) => Array.isArray(named) && named.includes(role));
  if (known.length > 0 || defaultRole === undefined) return known;
  return [defaultRole];
}

function networksOf({ [networksClaim]: networks }: JWTPayload): Principal['networks'] {
  // One network may be a text: issuers have claims of one value.
  const listed: unknown[] = [networks ?? []].flat();
  if (listed.length === 0) return undefined;
  // What is malformed permits nothing.
  return listed.filter((one) => typeof one === 'string' && isNetwork(one)).join(',');
}

/** The signature can be written in several ways, of which one counts: each would be remembered as a token of its own. */
function isCanonical(token: string): boolean {
  const signature = token.slice(token.lastIndexOf('.') + 1);
  return Buffer.from(signature, 'base64url').toString('base64url') === signature;
}

function decodeUnverified(token: string): { keyId?: string; claimedIssuer?: string } {
  try {
    const { kid } = decodeProtectedHeader(token);
    const { iss } = decodeJwt(token);
    // Not verified yet, so that neither need be of its declared type.
    const textOf = (value: unknown) =>
      typeof value === 'string' && isStorable(value) ? value : undefined;
    return { keyId: textOf(kid), claimedIssuer: textOf(iss) };
  } catch {
    return {};
  }
}

/** Tokens of our own authorization server. */
export function ownIssuer(publicUrl: () => string, realms: Realms): TokenIssuer {
  const keySets = new LRUCache<string, KeySet & { version: string }>(atMost(maxCachedRealms));
  const issuerOf = (provider: string) => `${publicUrl()}/realms/${provider}`;
  function keysOf({ provider, version, keys }: Realm): KeySet {
    const cached = keySets.get(provider);
    if (cached?.version === version) return cached;
    const current = {
      version,
      has: (keyId: string | undefined) => keys.some(({ kid }) => kid === keyId),
      find: createLocalJWKSet({ keys: keys.map(publicPart) }),
    };
    keySets.set(provider, current);
    return current;
  }
  return {
    issuerOf,
    keysOf,
    realmOf(issuer) {
      const provider = issuer.slice(issuer.lastIndexOf('/') + 1);
      return issuer === issuerOf(provider) ? provider : undefined;
    },
    async loadKeys(realm, keyId) {
      const keys = keysOf(realm);
      if (keys.has(keyId)) return keys;
      // Another process may have rotated the key while the realm is cached; but anybody can name a key.
      if (keyId === undefined || !(await realms.hasKey(realm.provider, keyId))) return keys;
      const refreshed = await realms.refresh(realm.provider);
      return refreshed && keysOf(refreshed);
    },
  };
}
