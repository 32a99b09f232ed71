import type { KeyObject } from 'node:crypto';
import { errors, jwtVerify, SignJWT } from 'jose';
import type { Provider } from 'oidc-provider';
import { offlineScope } from './offline-access.ts';

/**
 * Makes refresh tokens JWTs around the library's handles, since Keycloak's clients look into them. The key is symmetric: nobody
 * else can take one for an access token.
 */
export function signRefreshTokens({ RefreshToken, issuer }: Provider, key: KeyObject): void {
  const { prototype } = RefreshToken;
  const saveHandle = prototype.save;
  const findHandle = RefreshToken.find;

  prototype.save = async function save(...parameters: unknown[]) {
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
    const handle = token.includes('.') ? await openHandle(token) : token;
    return handle === undefined
      ? undefined
      : findHandle.call(RefreshToken, handle, ...(options as []));
  } as typeof findHandle;

  async function openHandle(token: string): Promise<string | undefined> {
    try {
      // Whether it has expired, the library knows: the use of an old one ends the grant.
      const { payload } = await jwtVerify(token, key, {
        algorithms: ['HS256'],
        issuer,
        currentDate: new Date(0),
      });
      return payload.jti;
    } catch (error) {
      if (error instanceof errors.JOSEError) return undefined;
      throw error;
    }
  }
}
