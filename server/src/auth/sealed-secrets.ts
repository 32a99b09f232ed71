import type { Database, Queryable } from '../platform/db/database.ts';
import { job } from '../platform/jobs/job.ts';

/** A column of secrets, and the expressions of the clear one that it replaces. */
type SealedColumn = {
  table: string;
  keys: readonly string[];
  sealed: string;
  clear?: { column: string; toText: string; fromText: string };
};

const sealedColumns: readonly SealedColumn[] = [
  {
    table: 'realm_keys',
    keys: ['provider', 'kid'],
    sealed: 'sealed_jwk',
    clear: { column: 'private_jwk', toText: 'private_jwk::text', fromText: '$1::jsonb' },
  },
  {
    table: 'server_secrets',
    keys: ['name'],
    sealed: 'sealed_value',
    clear: { column: 'value', toText: `encode(value, 'hex')`, fromText: `decode($1, 'hex')` },
  },
  { table: 'second_factors', keys: ['provider', 'user_id'], sealed: 'sealed_secret' },
  { table: 'idempotency_keys', keys: ['provider', 'id'], sealed: 'sealed_answer' },
  { table: 'webhooks', keys: ['provider', 'id'], sealed: 'sealed_secret' },
  { table: 'webhooks', keys: ['provider', 'id'], sealed: 'previous_sealed_secret' },
];

/** Binds a sealed value to its row. */
export function secretName(table: string, ...keys: string[]): string {
  return [table, ...keys].join('/');
}

/**
 * Seals what a release before this one left clear, and all that is sealed under another key than the first. What is done
 * stays done when it fails.
 */
export async function resealSecrets(db: Database): Promise<number> {
  let count = await db.transaction(sealClearSecrets);
  for (const column of sealedColumns) count += await resealColumn(db, column);
  await db.query('delete from secret_keys where id <> $1', [db.secrets.keyId]);
  return count;
}

const pageSize = 100;

async function resealColumn(db: Database, column: SealedColumn): Promise<number> {
  const { table, keys, sealed } = column;
  let count = 0;
  let last: string[] = [];
  for (;;) {
    const isAfter = `(${keys}) > (${last.map((_key, index) => `$${index + 2}`)})`;
    const rows = await db.queryUnprepared<{ key: string[]; isOutdated: boolean }>(
      `select array[${keys}]::text[] as key, left(${sealed}, length($1::text)) <> $1 as "isOutdated" from ${table}
       where ${sealed} is not null ${last.length > 0 ? `and ${isAfter}` : ''}
       order by ${keys} limit ${pageSize}`,
      [db.secrets.keyId, ...last],
    );
    for (const { key, isOutdated } of rows)
      if (isOutdated && (await resealRow(db, column, key))) count += 1;
    const lastRow = rows.at(-1);
    if (!lastRow) return count;
    last = lastRow.key;
  }
}

/** Locks no other row meanwhile, so that nobody waits for it long, nor in a deadlock. Returns whether there was something to seal. */
async function resealRow(
  db: Database,
  { table, keys, sealed }: SealedColumn,
  key: readonly string[],
): Promise<boolean> {
  const { secrets } = db;
  const name = secretName(table, ...key);
  for (;;) {
    const [row] = await db.queryUnprepared<{ value: string }>(
      `select ${sealed} as value from ${table}
       where ${isRow(keys)} and left(${sealed}, length($1::text)) <> $1`,
      [secrets.keyId, ...key],
    );
    if (!row) return false;
    const updated = await db.queryUnprepared(
      `update ${table} set ${sealed} = $1
       where ${isRow(keys)} and ${sealed} = $${keys.length + 2} returning 1`,
      [secrets.seal(name, secrets.open(name, row.value)), ...key, row.value],
    );
    // Otherwise it was changed or deleted since it was read.
    if (updated.length > 0) return true;
  }
}

/** The previous release cannot read what is sealed. */
export async function sealClearSecrets(tx: Queryable): Promise<number> {
  return convert(tx, ({ table, keys, sealed, clear }) => ({
    select: `select array[${keys}]::text[] as key, ${clear.toText} as value from ${table}
             where ${clear.column} is not null`,
    update: `update ${table} set ${sealed} = $1, ${clear.column} = null
             where ${isRow(keys)} and ${clear.toText} = $${keys.length + 2}`,
    change: tx.secrets.seal,
  }));
}

/** Makes the secrets readable for the release before this one. */
export async function unsealSecrets(tx: Queryable): Promise<number> {
  return convert(tx, ({ table, keys, sealed, clear }) => ({
    select: `select array[${keys}]::text[] as key, ${sealed} as value from ${table}
             where ${sealed} is not null`,
    update: `update ${table} set ${clear.column} = ${clear.fromText}, ${sealed} = null
             where ${isRow(keys)} and ${sealed} = $${keys.length + 2}`,
    change: tx.secrets.open,
  }));
}

type Row = { key: string[]; value: string };
type Conversion = {
  select: string;
  update: string;
  change(name: string, value: string): string;
};

async function convert(
  tx: Queryable,
  conversionOf: (column: Required<SealedColumn>) => Conversion,
): Promise<number> {
  let count = 0;
  for (const { clear, ...column } of sealedColumns) {
    if (!clear) continue;
    const { select, update, change } = conversionOf({ ...column, clear });
    const rows = await tx.queryUnprepared<Row>(select);
    // Only the value that was read: a distributed database locks no rows of several providers for an update.
    for (const { key, value } of rows) {
      const changed = change(secretName(column.table, ...key), value);
      await tx.queryUnprepared(update, [changed, ...key, value]);
    }
    count += rows.length;
  }
  return count;
}

function isRow(keys: readonly string[]): string {
  return keys.map((key, index) => `${key} = $${index + 2}`).join(' and ');
}

/** A day after the upgrade: until then the previous release may run beside this one, or be started again. */
export const sealSecrets = job({
  name: 'seal-secrets',
  key: () => 'all',
  cron: '53 * * * *',
  async run(_payload: object, { tx }: { tx: Queryable }) {
    const upgraded = await tx.query(
      `select from schema_migrations
       where name = 'expand-roles-and-secrets' and run_at < now() - interval '1 day'`,
    );
    if (upgraded.length > 0) await sealClearSecrets(tx);
  },
});
