import type { Queryable } from './database.ts';

export type Row = Record<string, unknown>;

/** The rows arrive as one JSON array; what a row lacks is null. */
export async function insertRows(
  tx: Queryable,
  table: string,
  rows: readonly Row[],
): Promise<void> {
  const columns = [...new Set(rows.flatMap(Object.keys))].join(', ');
  if (rows.length === 0) return;
  await tx.queryUnprepared(
    `insert into ${table} (${columns})
     select ${columns} from jsonb_populate_recordset(null::${table}, $1::jsonb)`,
    [JSON.stringify(rows)],
  );
}
