import { importJWK, type JWTHeaderParameters, type JWTPayload, SignJWT } from 'jose';
import { loadRealm } from '../auth/realms.ts';
import type { Database } from '../platform/db/database.ts';

/** A token with any claims, signed with the key that the realm itself signs with. */
export async function signToken(
  db: Database,
  realm: string,
  claims: JWTPayload,
  header: Partial<JWTHeaderParameters> = {},
): Promise<string> {
  const [key] = (await loadRealm(db, realm))?.keys ?? [];
  if (!key) throw new Error(`${realm} has no key`);
  return new SignJWT(claims)
    .setProtectedHeader({ alg: 'RS256', kid: key.kid, typ: 'at+jwt', ...header })
    .sign(await importJWK(key, 'RS256'));
}
