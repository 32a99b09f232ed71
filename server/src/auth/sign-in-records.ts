import { type Adapter, type AdapterPayload, errors } from 'oidc-provider';
import type { Database } from '../platform/db/database.ts';
import { isStorable } from '../platform/http/json-body.ts';

/** The authorization server's memory of one kind of thing (session, code, grant…) in one realm. */
export function signInRecords(db: Database, provider: string, kind: string): Adapter {
  async function findWhere(
    column: 'id' | 'uid',
    value: string,
  ): Promise<AdapterPayload | undefined> {
    if (!isStorable(value)) return undefined;
    const [row] = await db.rows<{ payload: AdapterPayload; consumed: number | null }>(
      `select payload, extract(epoch from consumed_at)::int as consumed from oidc_records
       where provider = $1 and kind = $2 and ${column} = $3 and (expires_at is null or expires_at > now())`,
      [provider, kind, value],
    );
    if (!row) return undefined;
    return row.consumed === null ? row.payload : { ...row.payload, consumed: row.consumed };
  }

  return {
    async upsert(id, payload, expiresInSeconds) {
      await db.rows(
        `insert into oidc_records (provider, kind, id, payload, grant_id, uid, expires_at)
         values ($1, $2, $3, $4, $5, $6, now() + make_interval(secs => $7))
         on conflict (provider, kind, id) do update
         set payload = excluded.payload, grant_id = excluded.grant_id, uid = excluded.uid, expires_at = excluded.expires_at`,
        [
          provider,
          kind,
          id,
          payload,
          payload.grantId ?? null,
          payload.uid ?? null,
          expiresInSeconds ?? null,
        ],
      );
    },
    find: (id) => findWhere('id', id),
    findByUid: (uid) => findWhere('uid', uid),
    async findByUserCode() {
      return undefined;
    },
    async consume(id) {
      const consumed = await db.rows(
        `update oidc_records set consumed_at = now()
         where provider = $1 and kind = $2 and id = $3 and consumed_at is null returning id`,
        [provider, kind, id],
      );
      // Two that redeem one code at the same moment both found it fresh: one of them is too late.
      if (consumed.length === 0) throw new errors.InvalidGrant('already consumed');
    },
    async destroy(id) {
      await db.rows('delete from oidc_records where provider = $1 and kind = $2 and id = $3', [
        provider,
        kind,
        id,
      ]);
    },
    async revokeByGrantId(grantId) {
      await db.rows('delete from oidc_records where provider = $1 and grant_id = $2', [
        provider,
        grantId,
      ]);
    },
  };
}

export async function removeExpiredRecords(db: Database): Promise<void> {
  await db.rows('delete from oidc_records where expires_at < now()');
}
