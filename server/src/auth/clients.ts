import { randomBytes } from 'node:crypto';
import type { Database, Queryable } from '../platform/db/database.ts';
import { isNetwork } from '../platform/http/networks.ts';
import type { Role } from '../platform/http/principal.ts';
import { isSecureAddress } from '../platform/http/secure-address.ts';
import { UserError } from '../platform/user-error.ts';
import { hashClientSecret, newClientSecret, serverSecret } from './secrets.ts';

export type NewClient = {
  name: string;
  redirectUris?: string[];
  postLogoutRedirectUris?: string[];
  /** A public client (a page, an app) has no secret. */
  isPublic?: boolean;
  role?: Role;
  /** The networks that it may call from; all by default. */
  networks?: string[];
  expiresAt?: Date;
};

export type ClientRow = {
  provider: string;
  id: string;
  name: string;
  role: Role;
  redirectUris: string[];
  networks: string[];
  createdAt: string;
  expiresAt: string | null;
  disabledAt: string | null;
};

export type Credentials = { id: string; secret?: string };

const clientSecretKey = 'client-secret-key';

export function clientKey(db: Queryable): Promise<Buffer> {
  return serverSecret(db, clientSecretKey);
}

/** Issues a client id and its secret, of which only a hash is stored. */
export async function addClient(
  db: Database,
  provider: string,
  client: NewClient,
): Promise<Credentials> {
  const { redirectUris = [], postLogoutRedirectUris = [] } = client;
  for (const uri of [...redirectUris, ...postLogoutRedirectUris]) requireRedirectUri(uri);
  for (const network of client.networks ?? []) requireNetwork(network);
  const slug = client.name
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '');
  const id = `${slug.slice(0, 40) || 'client'}-${randomBytes(5).toString('hex')}`;
  const secret = client.isPublic ? undefined : newClientSecret();
  await insertClient(db, provider, id, secret, client, false);
  return { id, secret };
}

/** A client with published credentials. */
export async function addDemoClient(
  db: Queryable,
  provider: string,
  id: string,
  secret: string,
): Promise<void> {
  await insertClient(db, provider, id, secret, { name: 'Demo client', role: 'admin' }, true);
}

async function insertClient(
  db: Queryable,
  provider: string,
  id: string,
  secret: string | undefined,
  client: NewClient,
  demo: boolean,
): Promise<void> {
  const hash = secret === undefined ? null : hashClientSecret(await clientKey(db), secret);
  await db.query(
    `insert into clients (provider, id, name, secret_hash, redirect_uris, post_logout_redirect_uris, demo,
                          role, networks, expires_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
    [
      provider,
      id,
      client.name,
      hash,
      client.redirectUris ?? [],
      client.postLogoutRedirectUris ?? [],
      demo,
      client.role ?? 'editor',
      client.networks ?? [],
      client.expiresAt ?? null,
    ],
  );
}

export async function listClients(db: Database, provider?: string): Promise<ClientRow[]> {
  return db.query<ClientRow>(
    `select provider, id, name, role, redirect_uris as "redirectUris", networks,
            created_at as "createdAt", expires_at as "expiresAt", disabled_at as "disabledAt"
     from clients where $1::text is null or provider = $1 order by provider, created_at, id`,
    [provider ?? null],
  );
}

/** Replaces the secret; the old one is rejected immediately. */
export async function rotateClient(
  db: Database,
  id: string,
  provider?: string,
): Promise<Required<Credentials>> {
  const owner = await ownerOf(db, id, provider);
  const secret = newClientSecret();
  const hash = hashClientSecret(await clientKey(db), secret);
  const changed = await db.query(
    `update clients set secret_hash = $3, demo = false
     where provider = $1 and id = $2 and secret_hash is not null returning id`,
    [owner, id, hash],
  );
  if (changed.length === 0)
    throw new UserError(`The client ${id} is public: it has no secret to replace.`);
  return { id, secret };
}

/** Issues no more tokens; existing ones are rejected within a second. */
export async function disableClient(db: Database, id: string, provider?: string): Promise<void> {
  const owner = await ownerOf(db, id, provider);
  await db.query(
    'update clients set disabled_at = coalesce(disabled_at, now()) where provider = $1 and id = $2',
    [owner, id],
  );
}

/** Deletes a temporary client; its tokens stay valid until they expire. */
export async function removeClient(db: Database, provider: string, id: string): Promise<void> {
  await db.query('delete from clients where provider = $1 and id = $2', [provider, id]);
}

function requireNetwork(text: string): void {
  if (isNetwork(text)) return;
  throw new UserError(`"${text}" is not an address or a network such as 192.0.2.0/24.`);
}

/** By http, anybody on the way could read the code; the OpenID library supports no other schemes. */
export function requireRedirectUri(uri: string): void {
  if (isSecureAddress(uri) && !uri.includes('#')) return;
  throw new UserError(
    `"${uri}" is not an address by https, or by http on this machine, without a fragment, such as https://app.example.com/signed-in.`,
  );
}

async function ownerOf(db: Database, id: string, provider?: string): Promise<string> {
  const rows = await db.query<{ provider: string }>(
    'select provider from clients where id = $1 and ($2::text is null or provider = $2) order by provider',
    [id, provider ?? null],
  );
  const [first, second] = rows;
  if (!first) throw new UserError(`There is no client ${id}: "motorpool client list" shows them.`);
  if (second) {
    const owners = rows.map((row) => row.provider).join(', ');
    throw new UserError(
      `Several providers have a client ${id} (${owners}): say which one with --provider.`,
    );
  }
  return first.provider;
}
