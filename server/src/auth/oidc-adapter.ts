import { type Adapter, type AdapterPayload, errors } from 'oidc-provider';
import type { Database } from '../platform/db/database.ts';
import { runInBatches } from '../platform/db/run-in-batches.ts';
import { isStorable } from '../platform/http/storable-text.ts';
import { job } from '../platform/jobs/job.ts';
import { runForEach } from '../platform/jobs/run-for-each.ts';
import { forgetExpiredSecrets } from './clients.ts';
import { removeExpiredRevocations } from './revocations.ts';
import { removeForgottenTokens } from './revoked-tokens.ts';
import { endRecord, maxClientsOfSession } from './sessions.ts';
import { removeForgottenFailures } from './sign-in/failures.ts';

/** So long after its first use a refresh token can be used again: docs/decisions/0047-keycloak-clients.md. */
export const refreshGraceSeconds = 10;
const isInGrace = `kind = 'RefreshToken' and consumed_at > now() - make_interval(secs => ${refreshGraceSeconds})`;

const deleteRecord = 'delete from oidc_records where provider = $1 and kind = $2 and id = $3';
const markedKinds = Object.keys(endRecord);

/** Stores one kind of record of the authorization server (session, code, grant…) in one realm. */
export function oidcAdapter(db: Database, provider: string, kind: string): Adapter {
  async function findWhere(
    column: 'id' | 'uid',
    value: string,
  ): Promise<AdapterPayload | undefined> {
    if (!isStorable(value)) return undefined;
    const [row] = await db.query<{ payload: AdapterPayload; consumed: number | null }>(
      `select payload, case when not (${isInGrace}) then extract(epoch from consumed_at)::int end as consumed
       from oidc_records
       where provider = $1 and kind = $2 and ${column} = $3 and (expires_at is null or expires_at > now())
         and not (kind = any($4) and consumed_at is not null)`,
      [provider, kind, value, markedKinds],
    );
    if (!row) return undefined;
    return row.consumed === null ? row.payload : { ...row.payload, consumed: row.consumed };
  }

  /** Stores one, or fails for a session that has ended meanwhile, or is one of too many clients. */
  async function upsertSession(
    id: string,
    payload: AdapterPayload,
    expiresInSeconds: number | undefined,
  ): Promise<void> {
    if (Object.keys(payload.authorizations ?? {}).length > maxClientsOfSession)
      throw new errors.InvalidRequest('the session is one of too many clients: sign out first');
    const session = [provider, payload.uid];
    // Waits for whoever ends it at this moment, and is then no longer one that has not ended. Of two that sign in to their
    // clients at once, none has read the other's.
    const renewed = await db.query(
      `update oidc_records set id = $3, payload = case when payload->>'accountId' = $4::jsonb->>'accountId'
         then jsonb_set($4::jsonb, '{authorizations}',
           coalesce(payload->'authorizations', '{}') || coalesce($4::jsonb->'authorizations', '{}'))
         else $4 end, expires_at = now() + make_interval(secs => $5)
       where provider = $1 and kind = 'Session' and uid = $2 and consumed_at is null returning id`,
      [...session, id, payload, expiresInSeconds],
    );
    if (renewed.length > 0) return;
    const ended = await db.query(
      `select id from oidc_records where provider = $1 and kind = 'Session' and uid = $2`,
      session,
    );
    if (ended.length > 0) throw new errors.SessionNotFound('the session has ended');
    await upsert(id, payload, expiresInSeconds);
  }

  async function upsert(
    id: string,
    payload: AdapterPayload,
    expiresInSeconds: number | undefined,
  ): Promise<void> {
    const stored = await db.query(
      `insert into oidc_records as known (provider, kind, id, payload, grant_id, uid, expires_at)
         values ($1, $2, $3, $4, $5, $6, now() + make_interval(secs => $7))
         on conflict (provider, kind, id) do update
         set payload = excluded.payload, grant_id = excluded.grant_id, uid = coalesce(excluded.uid, known.uid),
           expires_at = excluded.expires_at
         where not (known.kind = 'Grant' and known.consumed_at is not null)
         returning id`,
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
    if (stored.length === 0) throw new errors.InvalidGrant('the grant has ended');
  }

  return {
    async upsert(id, payload, expiresInSeconds) {
      requireStorable(payload);
      await (kind === 'Session' ? upsertSession : upsert)(id, payload, expiresInSeconds);
    },
    find: (id) => findWhere('id', id),
    findByUid: (uid) => findWhere('uid', uid),
    async findByUserCode() {
      return undefined;
    },
    async consume(id) {
      const consumed = await db.query(
        `update oidc_records set consumed_at = least(consumed_at, now())
         where provider = $1 and kind = $2 and id = $3 and (consumed_at is null or ${isInGrace}) returning id`,
        [provider, kind, id],
      );
      // Two concurrent requests may both have found the code unused; only one may redeem it.
      if (consumed.length === 0) throw new errors.InvalidGrant('already consumed');
    },
    async destroy(id) {
      const end = endRecord[kind as keyof typeof endRecord];
      if (end) await db.query(`${end} and id = $2`, [provider, id]);
      else await db.query(deleteRecord, [provider, kind, id]);
    },
    async revokeByGrantId(grantId) {
      // Not an interaction: who signs in as another person ends the grants of the one before, and goes on with theirs.
      await db.query(
        `delete from oidc_records where provider = $1 and grant_id = $2 and kind <> 'Interaction'`,
        [provider, grantId],
      );
    },
  };
}

/** Parameters of a request are stored as they were sent. */
function requireStorable(payload: AdapterPayload): void {
  JSON.stringify(payload, (_name, value) => {
    if (typeof value === 'string' && !isStorable(value))
      throw new errors.InvalidRequest('parameters must not contain NUL');
    return value;
  });
}

const removedAtOnce = 1_000;

/** What has expired is never read; removing it only saves space, of which strangers can take some. */
export const removeExpiredRecords = job({
  name: 'remove-expired-sign-ins',
  key: () => 'all',
  cron: '*/5 * * * *',
  // Each batch is a transaction of its own.
  transactional: false,
  async run(_payload: object, { db }: { db: Database }) {
    const removals = [
      removeRecords,
      removeForgottenFailures,
      removeExpiredRevocations,
      removeForgottenTokens,
      forgetExpiredSecrets,
    ];
    await runForEach(
      removals,
      (remove) => remove(db),
      'Some expired sign-ins could not be removed.',
    );
  },
});

/** Grants an hour later: a request that has read one which was ended meanwhile would store it again. */
const isRemovable = `expires_at <= now() and (kind <> 'Grant' or expires_at <= now() - interval '1 hour')`;

function removeRecords(db: Database): Promise<void> {
  return runInBatches(removedAtOnce, async (size) => {
    const removed = await db.query(
      `delete from oidc_records where ${isRemovable} and (provider, kind, id) in (
         select provider, kind, id from oidc_records where ${isRemovable} limit $1
       ) returning 1`,
      [size],
    );
    return removed.length < size;
  });
}
