import type { KeyObject } from 'node:crypto';
import type { ClientMetadata } from 'oidc-provider';
import type { Database } from '../platform/db/database.ts';
import type { Lookup } from '../platform/db/lookup-batcher.ts';
import type { Role } from '../platform/http/principal.ts';
import { isSecureAddress } from '../platform/http/secure-address.ts';
import { isStorable } from '../platform/http/storable-text.ts';
import { builtInClients } from './built-in-clients.ts';
import { type Realm, signingKeyOf } from './realms.ts';
import { hashClientSecret } from './secrets.ts';

type ClientRow = {
  name: string;
  secret_hash: Buffer | null;
  previous_secret_hash: Buffer | null;
  redirect_uris: string[];
  post_logout_redirect_uris: string[];
  role: Role;
  networks: string[];
  audiences: string[];
  revocation: number;
  seconds_left: number;
  realm_is_current: boolean;
};

const clientById: Lookup = {
  parameters: ['text collate "C"', 'text collate "C"', 'boolean', 'text collate "C"'],
  text: `
    select name, secret_hash, redirect_uris, post_logout_redirect_uris, role, networks, audiences,
      case when previous_expires_at > now() then previous_secret_hash end as previous_secret_hash,
      coalesce((select r.version from token_revocations r
                where r.provider = $1 and r.subject = clients.id), 0) as revocation,
      ceil(extract(epoch from least(expires_at - now(), interval '1 day')))::int as seconds_left,
      exists (select from providers p join realm_keys k on k.provider = p.id
              where p.id = $1 and p.disabled_at is null and k.kid = $4 and k.retired_at is null) as realm_is_current
    from clients where provider = $1 and id = $2 and disabled_at is null and (not demo or $3)
      and (expires_at is null or expires_at > now())`,
};

type Options = { db: Database; publicUrl: string; allowDemoCredentials: boolean };

/** A client as the OpenID library knows it; undefined for one that gets no tokens. */
export async function findClient(
  { db, publicUrl, allowDemoCredentials }: Options,
  realm: Realm,
  id: string,
  secretKey: KeyObject,
): Promise<ClientMetadata | undefined> {
  const builtIn = builtInClients(publicUrl, realm.provider).find(
    ({ client_id }) => client_id === id,
  );
  if (builtIn) return builtIn;
  if (!isStorable(id)) return undefined;
  const row = await db.lookup<ClientRow>(clientById, [
    realm.provider,
    id,
    allowDemoCredentials,
    signingKeyOf(realm) ?? null,
  ]);
  if (!row) {
    // The same work as for a wrong secret, so that the time does not reveal which clients exist.
    hashClientSecret(secretKey, id);
    return undefined;
  }
  // Clients of earlier versions may have others.
  const redirectUris = row.redirect_uris.filter(isSecureAddress);
  const interactive = redirectUris.length > 0;
  return {
    client_id: id,
    client_name: row.name,
    ...(row.secret_hash
      ? {
          client_secret: row.secret_hash.toString('hex'),
          token_endpoint_auth_method: 'client_secret_basic',
        }
      : { token_endpoint_auth_method: 'none' }),
    grant_types: [
      ...(row.secret_hash ? ['client_credentials'] : []),
      ...(interactive ? ['authorization_code', 'refresh_token'] : []),
    ],
    response_types: interactive ? ['code'] : [],
    redirect_uris: redirectUris,
    // Who may be given a code may be returned to without one.
    post_logout_redirect_uris: [
      ...new Set([...row.post_logout_redirect_uris.filter(isSecureAddress), ...redirectUris]),
    ],
    id_token_signed_response_alg: 'RS256',
    ...(row.previous_secret_hash && { previous_secret: row.previous_secret_hash.toString('hex') }),
    realm_is_current: row.realm_is_current,
    role: row.role,
    networks: row.networks,
    audiences: row.audiences,
    revocation: row.revocation,
    seconds_left: row.seconds_left,
  };
}
