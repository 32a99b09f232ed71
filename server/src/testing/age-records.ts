import type { Queryable } from '../platform/db/database.ts';

type Aged = {
  kind: string;
  seconds: number;
  columns?: readonly ('consumed_at' | 'expires_at')[];
  /** Of the payload, in seconds. */
  properties?: readonly string[];
  /** Only those; by default all of the kind. */
  ids?: readonly string[];
};

/** As if records of the authorization server were older. Value by value, as a distributed database calculates none with times. */
export async function ageRecords(
  db: Queryable,
  { kind, seconds, columns = [], properties = [], ids }: Aged,
): Promise<void> {
  const records = await db.query<Record<string, string | null> & { payload: object }>(
    'select provider, id, payload, consumed_at, expires_at from oidc_records where kind = $1 and ($2::text[] is null or id = any($2))',
    [kind, ids ?? null],
  );
  for (const { provider, id, payload, ...times } of records) {
    const aged: Record<string, unknown> = { ...payload };
    for (const name of properties) if (name in aged) aged[name] = Number(aged[name]) - seconds;
    for (const column of columns) {
      const time = times[column];
      if (time) times[column] = new Date(Date.parse(time) - seconds * 1_000).toISOString();
    }
    await db.query(
      'update oidc_records set payload = $4, consumed_at = $5, expires_at = $6 where provider = $1 and kind = $2 and id = $3',
      [provider, kind, id, aged, times.consumed_at, times.expires_at],
    );
  }
}
