import type { Database, Queryable } from '../platform/db/database.ts';
import { UserError } from '../platform/user-error.ts';
import { rotateKey } from './keys.ts';

export type Provider = {
  countryCode: string;
  code: string;
  name: string;
  demo: boolean;
  createdAt: string;
  disabledAt: string | null;
};

export function providerId(countryCode: string, code: string): string {
  if (!/^[A-Z]{2}$/.test(countryCode)) {
    throw new UserError(
      `The country code must be two capital letters such as DE, not "${countryCode}".`,
    );
  }
  if (!/^[A-Z0-9]{3}$/.test(code)) {
    throw new UserError(
      `The provider code must be three capital letters or digits such as ABC, not "${code}".`,
    );
  }
  return `${countryCode}-${code}`;
}

/** Creates a provider and the signing key of its realm. */
export async function addProvider(
  tx: Queryable,
  id: string,
  name: string,
  options: { demo: boolean } = { demo: false },
): Promise<void> {
  const added = await tx.query(
    'insert into providers (id, name, demo) values ($1, $2, $3) on conflict do nothing returning id',
    [id, name, options.demo],
  );
  if (added.length === 0) throw new UserError(`The asset provider ${id} exists already.`);
  await rotateKey(tx, id);
}

/** Whether the audit trail has events under this id, which outlast a provider. */
export async function hasTrail(tx: Queryable, id: string): Promise<boolean> {
  return (
    (await tx.query('select 1 from audit_events where provider = $1 limit 1', [id])).length > 0
  );
}

export async function listProviders(db: Database): Promise<Provider[]> {
  return db.query<Provider>(
    `select split_part(id, '-', 1) as "countryCode", split_part(id, '-', 2) as code, name, demo,
            created_at as "createdAt", disabled_at as "disabledAt"
     from providers order by id`,
  );
}

export async function disableProvider(db: Database, id: string): Promise<void> {
  await requireProvider(db, id);
  await db.query('update providers set disabled_at = now() where id = $1 and disabled_at is null', [
    id,
  ]);
}

export async function enableProvider(db: Database, id: string): Promise<void> {
  await requireProvider(db, id);
  await db.query('update providers set disabled_at = null where id = $1', [id]);
}

/** The tables that are removed with a provider; what else refers to it keeps it. */
export const tablesOfRealm = [
  'idempotency_keys',
  'token_revocations',
  'revoked_tokens',
  'oidc_records',
  'sign_in_failures',
  'users',
  'clients',
  'realm_keys',
  'webhooks',
  'saved_views',
  'customer_erasures',
  'event_outbox',
  'event_log',
  'event_sequences',
  // Last, as what is deleted before is recorded. Without them, nobody reads what the trail tells of customers.
  'audit_keys',
  'audit_key_customers',
];

/** Removes a provider with its realm. One that still has records is refused. */
export async function removeProvider(tx: Queryable, id: string): Promise<void> {
  // Nobody is left to read what happens to it, and those who get its code later are not meant to.
  await tx.queryUnprepared(`set local motorpool.events = 'off'`);
  // Nobody adds records meanwhile, which refer to it.
  await tx.query('select from providers where id = $1 for update', [id]);
  const invoices = await tx.query('select from invoices where provider = $1 limit 1', [id]);
  // Their constraint would delete them.
  if (invoices.length > 0)
    throw new UserError(
      `The asset provider ${id} still has invoices: drafts can be deleted, all others are kept; disable the provider.`,
    );
  try {
    for (const table of tablesOfRealm)
      await tx.query(`delete from ${table} where provider = $1`, [id]);
    await tx.query('delete from providers where id = $1', [id]);
    await tx.query(`delete from pgboss.job where data ->> 'provider' = $1 and state <> 'active'`, [
      id,
    ]);
  } catch (error) {
    const { code, table = '' } = error as { code?: string; table?: string };
    if (code !== foreignKeyViolation) throw error;
    if (table === 'stored_objects')
      throw new UserError(
        `The asset provider ${id} still has stored files, which the service removes within two hours of their records: try again then, or disable the provider.`,
      );
    throw new UserError(
      `The asset provider ${id} still has ${table.replaceAll('_', ' ')}: delete them first, or disable the provider.`,
    );
  }
}

const foreignKeyViolation = '23503';

export async function requireProvider(db: Database, id: string): Promise<void> {
  const found = await db.query('select 1 from providers where id = $1', [id]);
  if (found.length > 0) return;
  const [countryCode, code] = id.split('-');
  throw new UserError(
    `There is no asset provider ${id}: "motorpool provider list" shows them, ` +
      `"motorpool provider add ${countryCode} ${code} --name NAME" makes it.`,
  );
}
