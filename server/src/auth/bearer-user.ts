import { requireOwnNetwork } from '../platform/http/networks.ts';
import type { Principal } from '../platform/http/principal.ts';
import { forbidden, unauthorized } from '../platform/http/problem.ts';
import type { BearerCheck } from './bearer.ts';
import type { RealmRequest } from './realm-route.ts';

/** Who sends a request to a realm with a token of it. */
export async function requireBearer(
  request: RealmRequest,
  checkBearer: BearerCheck,
): Promise<Principal> {
  const { realm } = request.params;
  const { authorization } = request.headers;
  const token = /^Bearer +(\S+)$/i.exec(authorization ?? '')?.[1];
  const principal = token && (await checkBearer(token));
  if (!principal) throw unauthorized(realm, authorization !== undefined);
  if (principal.provider !== realm) throw forbidden();
  requireOwnNetwork(principal, request.ip);
  return principal;
}
