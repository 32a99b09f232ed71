import { createSecretKey, type KeyObject, randomBytes } from 'node:crypto';
import type { Database, Queryable } from '../platform/db/database.ts';
import type { Role } from '../platform/http/principal.ts';
import { UserError } from '../platform/user-error.ts';
import { AdministrationConflict } from './administration-conflict.ts';
import {
  type ClientSettings,
  type NewClient,
  publicWithoutRedirect,
  requireValidClient,
} from './client-settings.ts';
import { revokeTokens } from './revocations.ts';
import { hashClientSecret, newClientSecret, serverSecret } from './secrets.ts';
import { endGrantsOfClient } from './sessions.ts';

export type ClientRow = {
  id: string;
  version: number;
  name: string;
  role: Role;
  isPublic: boolean;
  redirectUris: string[];
  postLogoutRedirectUris: string[];
  networks: string[];
  audiences: string[];
  createdAt: string;
  updatedAt: string;
  expiresAt: string | null;
  disabledAt: string | null;
  previousSecretExpiresAt: string | null;
};

/** The columns of a row, without its secrets, in the table `c`. */
export const clientColumns = `c.id, c.version, c.name, c.role, c.secret_hash is null as "isPublic",
  c.redirect_uris as "redirectUris", c.post_logout_redirect_uris as "postLogoutRedirectUris", c.networks, c.audiences,
  c.created_at as "createdAt", c.updated_at as "updatedAt", c.expires_at as "expiresAt", c.disabled_at as "disabledAt",
  c.previous_expires_at as "previousSecretExpiresAt"`;

/** So many may an asset provider have: every process looks each second for those that were disabled. */
export const maxClients = 1_000;

/** How long the previous secret can stay valid at most: 30 days. */
export const maxKeepPreviousHours = 720;

export type Credentials = { id: string; secret?: string };

const clientSecretKey = 'client-secret-key';

export async function clientKey(db: Queryable): Promise<KeyObject> {
  return createSecretKey(await serverSecret(db, clientSecretKey));
}

/** Issues a client id and its secret, of which only a hash is stored. */
export async function addClient(
  db: Queryable,
  provider: string,
  client: NewClient,
): Promise<Credentials> {
  requireValidClient(client);
  const slug = client.name
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '');
  const id = client.id ?? `${slug.slice(0, 40) || 'client'}-${randomBytes(5).toString('hex')}`;
  const secret = client.isPublic ? undefined : newClientSecret();
  await requireRoom(db, provider);
  const added = await insertClient(db, provider, id, secret, client, false);
  if (!added)
    throw new AdministrationConflict(
      'client-id-taken',
      'The client id is taken',
      `${provider} has a client ${id} already.`,
    );
  return { id, secret };
}

async function requireRoom(db: Queryable, provider: string): Promise<void> {
  const [row] = await db.query<{ count: number }>(
    'select count(*)::int from clients where provider = $1',
    [provider],
  );
  if (row && row.count >= maxClients)
    throw new AdministrationConflict(
      'too-many-clients',
      'There are too many clients',
      `An asset provider has at most ${maxClients} clients: delete one first.`,
    );
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
): Promise<boolean> {
  const hash = secret === undefined ? null : hashClientSecret(await clientKey(db), secret);
  const added = await db.query(
    `insert into clients (provider, id, secret_hash, demo, name, role, networks, expires_at,
                          redirect_uris, post_logout_redirect_uris, audiences)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11) on conflict (provider, id) do nothing returning id`,
    [provider, id, hash, demo, ...settingsOf(client)],
  );
  return added.length > 0;
}

/** The values of name, role, networks, expires_at, redirect_uris, post_logout_redirect_uris and audiences. */
function settingsOf(client: ClientSettings): unknown[] {
  return [
    client.name,
    client.role ?? 'editor',
    client.networks ?? [],
    client.expiresAt ?? null,
    client.redirectUris ?? [],
    client.postLogoutRedirectUris ?? [],
    client.audiences ?? [],
  ];
}

export async function listClients(
  db: Database,
  provider?: string,
): Promise<(ClientRow & { provider: string })[]> {
  return db.query(
    `select c.provider, ${clientColumns} from clients c
     where $1::text is null or c.provider = $1 order by c.provider, c.created_at, c.id`,
    [provider ?? null],
  );
}

export async function getClient(
  db: Queryable,
  provider: string,
  id: string,
): Promise<ClientRow | undefined> {
  const [row] = await db.query<ClientRow>(
    `select ${clientColumns} from clients c where c.provider = $1 and c.id = $2`,
    [provider, id],
  );
  return row;
}

/** Overwrites the settings; tokens that allow more than the new ones do are revoked. */
export async function updateClient(
  tx: Queryable,
  provider: string,
  id: string,
  settings: ClientSettings,
): Promise<ClientRow | undefined> {
  requireValidClient(settings);
  const [before] = await tx.query<ClientRow>(
    `select ${clientColumns} from clients c where c.provider = $1 and c.id = $2 for update`,
    [provider, id],
  );
  if (!before) return undefined;
  if (before.isPublic && !settings.redirectUris?.length)
    throw new AdministrationConflict(
      'redirect-uri-needed',
      'The client needs a redirect URI',
      publicWithoutRedirect,
    );
  const [after] = await tx.query<ClientRow>(
    `update clients c
     set name = $3, role = $4, networks = $5, expires_at = $6, redirect_uris = $7, post_logout_redirect_uris = $8,
         audiences = $9,
         version = version + 1, updated_at = now()
     where c.provider = $1 and c.id = $2 returning ${clientColumns}`,
    [provider, id, ...settingsOf(settings)],
  );
  const grants = (row: ClientRow | undefined) =>
    JSON.stringify([row?.role, row?.networks, row?.audiences, row?.expiresAt]);
  if (grants(before) !== grants(after)) await revokeTokens(tx, provider, id);
  return after;
}

export async function setClientRole(
  tx: Queryable,
  provider: string,
  id: string,
  role: Role,
): Promise<void> {
  await tx.query(
    `update clients set role = $3, version = version + 1, updated_at = now() where provider = $1 and id = $2`,
    [provider, id, role],
  );
  await revokeTokens(tx, provider, id);
}

/**
 * Replaces the secret. The previous one stays valid for the given time; without one it is rejected immediately,
 * and so are the tokens that the client has.
 */
export async function rotateClient(
  tx: Queryable,
  provider: string,
  id: string,
  keepPreviousHours: number,
): Promise<{ client: ClientRow; secret: string } | undefined> {
  const secret = newClientSecret();
  const [client] = await tx.query<ClientRow>(
    `update clients c
     set secret_hash = $3, demo = false,
         previous_secret_hash = case when $4 > 0 and not demo then secret_hash end,
         previous_expires_at = now() + case when $4 > 0 and not demo then make_interval(hours => $4) end,
         version = version + 1, updated_at = now()
     where c.provider = $1 and c.id = $2 and c.secret_hash is not null returning ${clientColumns}`,
    [provider, id, hashClientSecret(await clientKey(tx), secret), keepPreviousHours],
  );
  if (!client) {
    if (!(await getClient(tx, provider, id))) return undefined;
    throw new AdministrationConflict(
      'public-client',
      'The client is public',
      `The client ${id} is public: it has no secret to replace.`,
    );
  }
  if (keepPreviousHours === 0) await revokeTokens(tx, provider, id);
  return { client, secret };
}

/** A disabled client gets no tokens; those that it has are rejected within a second, also after it is enabled. */
export async function setClientDisabled(
  tx: Queryable,
  provider: string,
  id: string,
  isDisabled: boolean,
): Promise<ClientRow | undefined> {
  const [client] = await tx.query<ClientRow>(
    `update clients c
     set disabled_at = case when $3 then coalesce(disabled_at, $4) end, version = version + 1, updated_at = now()
     where c.provider = $1 and c.id = $2 returning ${clientColumns}`,
    [provider, id, isDisabled, new Date()],
  );
  if (client && isDisabled) {
    await revokeTokens(tx, provider, id);
    await endGrantsOfClient(tx, provider, id);
  }
  return client;
}

/** Deletes a client; its tokens are rejected within a second. Returns the version that it had. */
export async function removeClient(
  tx: Queryable,
  provider: string,
  id: string,
): Promise<{ version: number } | undefined> {
  const [removed] = await tx.query<{ version: number }>(
    'delete from clients where provider = $1 and id = $2 returning version',
    [provider, id],
  );
  if (!removed) return undefined;
  await revokeTokens(tx, provider, id);
  await endGrantsOfClient(tx, provider, id);
  return removed;
}

/** Previous secrets that are no longer valid. */
export async function forgetExpiredSecrets(tx: Queryable): Promise<void> {
  await tx.query(
    `update clients set previous_secret_hash = null, previous_expires_at = null
     where previous_expires_at < now()`,
  );
}

/** The provider of a client that a command names by its id alone. */
export async function ownerOf(db: Database, id: string, provider?: string): Promise<string> {
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
