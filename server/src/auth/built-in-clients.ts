import type { ClientMetadata } from 'oidc-provider';
import { tokenLifetimeSeconds } from './keys.ts';

export const accountClient = 'motorpool-account';
export const consoleClient = 'motorpool-console';
export const docsClient = 'motorpool-docs';

/** The public clients that every realm has. */
export function builtInClients(publicUrl: string, provider: string): ClientMetadata[] {
  return [
    {
      ...metadata,
      client_id: consoleClient,
      client_name: 'Motorpool console',
      grant_types: ['authorization_code', 'refresh_token'],
      redirect_uris: [`${publicUrl}/console/signed-in`],
      post_logout_redirect_uris: [`${publicUrl}/console/`],
    },
    {
      ...metadata,
      client_id: docsClient,
      client_name: 'Motorpool reference',
      grant_types: ['authorization_code'],
      redirect_uris: [`${publicUrl}/docs/assets/oauth2-redirect.html`],
    },
    {
      // Our own page, which only needs the session: nobody redeems its codes.
      ...metadata,
      client_id: accountClient,
      client_name: 'Motorpool account',
      grant_types: ['authorization_code'],
      redirect_uris: [`${publicUrl}/realms/${provider}/account`],
    },
  ];
}

/** Whether the id is one that every realm has, or may have in a later version. */
export function isReservedClientId(id: string): boolean {
  return id.startsWith('motorpool-');
}

const metadata = {
  // None for offline access, whose grants a sign-out does not end: any page can have a browser ask for it.
  scope: 'openid profile email',
  token_endpoint_auth_method: 'none',
  response_types: ['code'],
  id_token_signed_response_alg: 'RS256',
  role: 'admin',
  networks: [],
  audiences: [],
  revocation: 0,
  seconds_left: tokenLifetimeSeconds,
} as const;
