import type { KoaContextWithOIDC } from 'oidc-provider';
import { commonRole, type Role } from '../platform/http/principal.ts';
import type { User } from './users.ts';

/** The version of the subject's credentials: revoking its tokens increases it. */
export const revocationClaim = 'revocation';
/** That of the client, in a token of a user. */
export const clientRevocationClaim = 'client_revocation';
/** The networks that the token may be used from. */
export const networksClaim = 'networks';
/** The grant that the token belongs to: revoking one of its tokens revokes all. */
export const grantClaim = 'grant_id';

/** What tokens say of a client beyond its id. */
export type ClientGrantee = {
  role: Role;
  revocation: number;
  networks: string[];
  audiences: string[];
};

type IssuedToken = { clientId?: string; grantId?: string; sid?: string };

/** The claims of an access token: who may do what with it, in Keycloak's names where it has one. */
export function accessTokenClaims(
  { oidc }: KoaContextWithOIDC,
  { clientId, grantId, sid }: IssuedToken,
  issuer: string,
): Record<string, unknown> {
  const client = oidc.client as unknown as ClientGrantee;
  const user = oidc.account as unknown as User | undefined;
  const role = user ? commonRole(user.role, client.role) : client.role;
  const { RefreshToken, AuthorizationCode } = oidc.entities;
  return {
    typ: 'Bearer',
    azp: clientId,
    aud: [...new Set([issuer, clientId, ...client.audiences])],
    realm_access: { roles: role === undefined ? [] : [role] },
    [revocationClaim]: (user ?? client).revocation,
    ...(user && {
      ...personClaims(user),
      sid,
      auth_time: (RefreshToken ?? AuthorizationCode)?.authTime,
      [grantClaim]: grantId,
      [clientRevocationClaim]: client.revocation,
    }),
    ...(client.networks.length > 0 && { [networksClaim]: client.networks }),
  };
}

/** Of any scope, as the default scopes of a Keycloak realm have them. */
export const personClaimNames = ['preferred_username', 'name', 'email', 'email_verified'];

export function personClaims({ username, name, email }: Pick<User, 'username' | 'name' | 'email'>) {
  return {
    preferred_username: username,
    ...(name !== null && { name }),
    // Administrators enter the addresses; nobody has confirmed them.
    ...(email !== null && { email, email_verified: false }),
  };
}
