import { secretName } from '../../auth/sealed-secrets.ts';
import type { Queryable } from '../../platform/db/database.ts';
import { invalidBody, notFound, Problem } from '../../platform/http/problem.ts';
import { newWebhookSecret } from '../../platform/webhooks/signature.ts';
import type { Dependencies } from '../dependencies.ts';
import { networkIssues, type WebhookRow, webhookColumns } from './webhook.ts';

/** So many may an asset provider have. */
export const maxWebhooks = 50;

export type WebhookSettings = {
  url: string;
  types?: readonly string[] | undefined;
  description?: string | undefined;
};

const settingsOf = ({ url, types = [], description }: WebhookSettings) => [
  url,
  types,
  description ?? null,
];

export async function addWebhook(
  tx: Queryable,
  provider: string,
  settings: WebhookSettings,
  now: Date,
): Promise<{ row: WebhookRow; secret: string }> {
  const id = crypto.randomUUID();
  const secret = newWebhookSecret();
  const sealed = tx.secrets.seal(secretName('webhooks', provider, id), secret);
  // Serializes those of the provider, whose number is limited.
  await tx.query('select from providers where id = $1 for no key update', [provider]);
  const values = [provider, id, ...settingsOf(settings), sealed, now, maxWebhooks];
  const [row] = await tx.query<WebhookRow>(insertWebhook, values);
  if (!row)
    throw new Problem(409, 'too-many-webhooks', 'There are too many webhooks', {
      detail: `An asset provider has at most ${maxWebhooks}: delete one, or extend the types of another.`,
    });
  return { row, secret };
}

// What is committed before has no delivery.
const insertWebhook = `
  insert into webhooks as w (provider, id, url, types, description, sealed_secret, position, created_at, updated_at)
  select $1, $2, $3, $4, $5, $6, coalesce((select last_number from event_sequences where provider = $1), 0), $7, $7
  where (select count(*) from webhooks where provider = $1) < $8
  returning ${webhookColumns}`;

export async function getWebhookRow(
  tx: Queryable,
  key: readonly [provider: string, id: string],
): Promise<WebhookRow> {
  const [row] = await tx.query<WebhookRow>(
    `select ${webhookColumns} from webhooks w where w.provider = $1 and w.id = $2`,
    key,
  );
  if (!row) throw notFound('webhook');
  return row;
}

/** A changed address is another receiver, which has not failed yet. */
export async function overwriteWebhook(
  tx: Queryable,
  key: readonly [provider: string, id: string],
  settings: WebhookSettings,
  now: Date,
): Promise<WebhookRow> {
  const [row] = await tx.query<WebhookRow>(
    `update webhooks w set version = version + 1, updated_at = $6, url = $3, types = $4, description = $5,
       failing_since = case when url = $3 then failing_since end
     where w.provider = $1 and w.id = $2 returning ${webhookColumns}`,
    [...key, ...settingsOf(settings), now],
  );
  if (!row) throw notFound('webhook');
  return row;
}

/** Deliveries go on where they stopped, as far as the events are still kept. */
export async function enableWebhookRow(
  tx: Queryable,
  key: readonly [provider: string, id: string],
  now: Date,
): Promise<WebhookRow> {
  const [row] = await tx.query<WebhookRow>(
    `update webhooks w set version = version + 1, updated_at = $3, status = 'active', status_reason = null, failing_since = null
     where w.provider = $1 and w.id = $2 returning ${webhookColumns}`,
    [...key, now],
  );
  if (!row) throw notFound('webhook');
  return row;
}

export const disabledReason = 'It was disabled.';

/** One that is not active keeps its status and its reason. */
export async function disableWebhookRow(
  tx: Queryable,
  key: readonly [provider: string, id: string],
  now: Date,
): Promise<WebhookRow> {
  await tx.query(
    `update webhooks set version = version + 1, updated_at = $3, status = 'paused', status_reason = $4
     where provider = $1 and id = $2 and status = 'active'`,
    [...key, now, disabledReason],
  );
  return getWebhookRow(tx, key);
}

/** The address, and the secrets that deliveries are signed with now. */
export async function openWebhookSecrets(
  db: Queryable,
  key: readonly [provider: string, id: string],
): Promise<{ url: string; secrets: string[] }> {
  const [row] = await db.query<SecretsRow>(
    `select url, sealed_secret, case when previous_expires_at > now() then previous_sealed_secret end as previous_sealed_secret
     from webhooks where provider = $1 and id = $2`,
    key,
  );
  if (!row) throw notFound('webhook');
  const name = secretName('webhooks', ...key);
  const sealed = [row.sealed_secret, row.previous_sealed_secret];
  const secrets = sealed.flatMap((one) => (one === null ? [] : [db.secrets.open(name, one)]));
  return { url: row.url, secrets };
}

type SecretsRow = { url: string; sealed_secret: string; previous_sealed_secret: string | null };

/** The previous secret signs as well for a day. */
export async function rotateWebhook(
  tx: Queryable,
  key: readonly [provider: string, id: string],
  now: Date,
): Promise<{ row: WebhookRow; secret: string }> {
  const secret = newWebhookSecret();
  const sealed = tx.secrets.seal(secretName('webhooks', ...key), secret);
  const [row] = await tx.query<WebhookRow>(
    `update webhooks w set version = version + 1, updated_at = $4, sealed_secret = $3, previous_sealed_secret = sealed_secret,
       previous_expires_at = now() + interval '1 day'
     where w.provider = $1 and w.id = $2 returning ${webhookColumns}`,
    [...key, sealed, now],
  );
  if (!row) throw notFound('webhook');
  return { row, secret };
}

/** 400 for an address that the operator does not allow. */
export function requireReachable(url: string, { settings }: Dependencies): void {
  const issues = networkIssues(url, settings);
  if (issues.length > 0) throw invalidBody(issues);
}
