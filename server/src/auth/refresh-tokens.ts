import { createHmac, type KeyObject } from 'node:crypto';
import { errors, jwtVerify, SignJWT } from 'jose';
import { Provider } from 'oidc-provider';
import { offlineScope } from './offline-access.ts';
import { signInMaxSeconds } from './sign-in-policy.ts';

/** What a refresh token says, whether or not it can still be used. */
export type RefreshTokenReader = (
  token: string,
) => Promise<{ clientId: unknown; accountId?: string; sid?: string } | undefined>;

/**
 * Makes refresh tokens JWTs around the library's handles, since Keycloak's clients look into them. The key is symmetric: nobody
 * else can take one for an access token.
 */
export function signRefreshTokens(
  { RefreshToken, issuer }: Provider,
  key: KeyObject,
): RefreshTokenReader {
  const { prototype } = RefreshToken;
  const saveHandle = prototype.save;
  const findHandle = RefreshToken.find;

  prototype.save = async function save(...parameters: unknown[]) {
    const rotated = Provider.ctx?.oidc?.entities.RotatedRefreshToken;
    if (rotated) this.jti = handleAfter(rotated.jti);
    const handle = await saveHandle.apply(this, parameters as []);
    const { clientId, scope, scopes, sid } = this;
    return new SignJWT({
      typ: scopes.has(offlineScope) ? 'Offline' : 'Refresh',
      azp: clientId,
      scope,
      sid,
    })
      .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
      .setIssuer(issuer)
      .setAudience(issuer)
      .setSubject(this.accountId ?? '')
      .setJti(handle)
      .setIssuedAt()
      .setExpirationTime(Math.floor(Date.now() / 1_000) + (this.remainingTTL ?? 0))
      .sign(key);
  };

  RefreshToken.find = async function find(token: string, ...options: unknown[]) {
    // Never a bare handle: it is the id of a record, which whoever has the database can read.
    const signed = await verify(token);
    const found = signed && (await findHandle.call(RefreshToken, signed.jti, ...(options as [])));
    return found && isSignInOver(found as StoredToken) ? undefined : found;
  } as typeof findHandle;

  /** One token follows each, however often it is exchanged: two that do so at once do not part ways unnoticed. */
  function handleAfter(handle: string): string {
    return createHmac('sha256', key).update(`refresh token after ${handle}`).digest('base64url');
  }

  async function verify(token: string): Promise<RefreshTokenPayload | undefined> {
    try {
      // Whether it has expired, the library knows: the use of an old one ends the grant.
      const { payload } = await jwtVerify<RefreshTokenPayload>(token, key, {
        algorithms: ['HS256'],
        issuer,
        currentDate: new Date(0),
      });
      return payload;
    } catch (error) {
      if (error instanceof errors.JOSEError) return undefined;
      throw error;
    }
  }

  return async (token) => {
    const payload = await verify(token);
    return payload && { clientId: payload.azp, accountId: payload.sub, sid: payload.sid };
  };
}

/** The session of a page that keeps asking for it does not end, whatever it is answered. */
function isSignInOver({ scopes, authTime = 0 }: StoredToken): boolean {
  return !scopes.has(offlineScope) && authTime < Date.now() / 1_000 - signInMaxSeconds;
}

type StoredToken = InstanceType<Provider['RefreshToken']>;
type RefreshTokenPayload = { jti: string; sub: string; azp: string; sid?: string };
