import type { KoaContextWithOIDC } from 'oidc-provider';
import { commonRole, type Role } from '../platform/http/principal.ts';

/** The version of the subject's credentials: revoking its tokens increases it. */
export const revocationClaim = 'revocation';
/** That of the client, in a token of a user. */
export const clientRevocationClaim = 'client_revocation';
/** The networks that the token may be used from. */
export const networksClaim = 'networks';

/** What tokens say of a client or a user beyond its id. */
type Grantee = { role: Role; revocation: number };

export type ClientGrantee = Grantee & { networks: string[] };

/** The claims of an access token: who may do what with it, in Keycloak's names where it has one. */
export function accessTokenClaims(ctx: KoaContextWithOIDC): Record<string, unknown> {
  const client = ctx.oidc.client as unknown as ClientGrantee;
  const user = ctx.oidc.account as unknown as Grantee | undefined;
  const role = user ? commonRole(user.role, client.role) : client.role;
  return {
    realm_access: { roles: role === undefined ? [] : [role] },
    [revocationClaim]: (user ?? client).revocation,
    ...(user && { [clientRevocationClaim]: client.revocation }),
    ...(client.networks.length > 0 && { [networksClaim]: client.networks }),
  };
}
