import type { Database, Queryable } from '../platform/db/database.ts';
import { runInBatches } from '../platform/db/run-in-batches.ts';
import { revokeTokens } from './revocations.ts';
import { revokeGrants } from './revoked-tokens.ts';
import { signInLifetimeSeconds } from './sign-in-policy.ts';

/**
 * The sign-ins of people, from the records of the OpenID library. The id is the one that the library never accepts from a
 * browser, unlike that of the cookie.
 */
export const sessionsTable = `(
  select r.provider, r.uid as id, r.payload->>'accountId' as user_id, u.username,
    to_timestamp((r.payload->>'loginTs')::bigint) as signed_in_at,
    r.address, r.user_agent,
    array(select jsonb_object_keys(r.payload->'authorizations') order by 1) as client_ids,
    date_trunc('milliseconds', r.expires_at - make_interval(secs => ${signInLifetimeSeconds})) as updated_at,
    date_trunc('milliseconds', r.expires_at) as expires_at
  from oidc_records r
  left join users u on u.provider = r.provider and u.id::text = r.payload->>'accountId'
  where r.kind = 'Session' and r.payload ? 'accountId' and r.consumed_at is null and r.expires_at > now()
)`;

export type SessionRow = {
  id: string;
  user_id: string;
  username: string | null;
  signed_in_at: string;
  address: string | null;
  user_agent: string | null;
  client_ids: string[];
  updated_at: string;
  expires_at: string;
};

export const maxUserAgentLength = 300;

/** Records from where a session was begun. */
export async function recordOrigin(
  db: Queryable,
  provider: string,
  sessionId: string,
  { address, userAgent }: { address: string; userAgent: string },
): Promise<void> {
  await db.query(
    `update oidc_records set address = $3, user_agent = $4
     where provider = $1 and kind = 'Session' and uid = $2`,
    [provider, sessionId, address || null, userAgent.slice(0, maxUserAgentLength) || null],
  );
}

/**
 * Ends a session: its cookie, codes and refresh tokens are rejected immediately, the access tokens of the user within a
 * second. Returns whether there was one.
 */
export async function revokeSession(
  tx: Queryable,
  provider: string,
  sessionId: string,
): Promise<boolean> {
  const session = await endSession(tx, provider, sessionId, {
    grantPath: allGrants,
    where: `payload ? 'accountId' and expires_at > now()`,
  });
  if (!session) return false;
  // Also those that the session no longer names, such as the earlier of two for one client.
  const grants = await tx.query<{ id: string }>(
    `select id from oidc_records where provider = $1 and kind = 'Grant' and uid = $2 and consumed_at is null`,
    [provider, sessionId],
  );
  await endGrants(
    tx,
    provider,
    grants.map(({ id }) => id),
  );
  await revokeTokens(tx, provider, session.userId);
  return true;
}

/** Ends everything by which a user is signed in, or all but one session. */
export async function revokeSessionsOf(
  tx: Queryable,
  provider: string,
  userId: string,
  { except }: { except?: string } = {},
): Promise<void> {
  await endAllOf(tx, provider, { kind: 'Session', accountId: userId }, except);
  // A sign-in whose password was checked, and which the browser has not completed yet.
  await tx.query(
    `delete from oidc_records
     where provider = $1 and kind = 'Interaction' and payload->'result'->'login'->>'accountId' = $2`,
    [provider, userId],
  );
  // Those of offline access outlive their session.
  await endAllOf(tx, provider, { kind: 'Grant', accountId: userId }, except);
  await revokeTokens(tx, provider, userId);
}

const endedAtOnce = 1_000;

/**
 * Ends everything by which anybody is signed in, but for access tokens, in batches: what has ended stays so when it fails.
 * Returns how much of it could still be used.
 */
export async function endAllSignIns(
  db: Database,
): Promise<{ sessions: number; refreshTokens: number }> {
  const ended = { sessions: 0, refreshTokens: 0 };
  const providers = await db.query<{ id: string }>('select id from providers order by id');
  for (const { id } of providers) {
    ended.sessions += await endRecords(db, id, {
      where: `kind = 'Session' and consumed_at is null`,
      end: 'update oidc_records set consumed_at = now()',
    });
    // Those that were stored under another id meanwhile.
    await db.query(endRecord.Session, [id]);
    ended.refreshTokens += await endRecords(db, id, {
      where: `kind <> 'Session'`,
      end: 'delete from oidc_records',
    });
  }
  return ended;
}

/** Returns how many sessions and refresh tokens among them could still be used. */
async function endRecords(
  db: Database,
  provider: string,
  { where, end }: { where: string; end: string },
): Promise<number> {
  let count = 0;
  let last = { kind: '', id: '' };
  await runInBatches(endedAtOnce, async (size) => {
    const records = await db.query<{ kind: string; id: string; usable: boolean }>(
      `select kind, id, expires_at > now() and (
         kind = 'Session' and payload ? 'accountId' or kind = 'RefreshToken' and consumed_at is null
       ) as usable
       from oidc_records
       where provider = $1 and (kind, id) > ($2, $3) and ${where} order by kind, id limit $4`,
      [provider, last.kind, last.id, size],
    );
    await db.query(
      `${end} where provider = $1 and ${where}
         and (kind, id) in (select * from unnest($2::text[], $3::text[]))`,
      [provider, records.map(({ kind }) => kind), records.map(({ id }) => id)],
    );
    count += records.filter(({ usable }) => usable).length;
    last = records.at(-1) ?? last;
    return records.length < size;
  });
  return count;
}

/** What a sign-out does not end: grants of offline access. */
const allGrants = '$.authorizations.*.grantId';
const sessionGrants = '$.authorizations.* ? (!(@.persistsLogout == true)).grantId';

/** Ends a session, if it is one of those meant, and the grants that it names. */
async function endSession(
  tx: Queryable,
  provider: string,
  sessionId: string,
  { grantPath, where = 'true' }: { grantPath: string; where?: string },
): Promise<{ userId: string } | undefined> {
  const [ended] = await tx.query<{ userId: string; grants: string[] }>(
    `${endRecord.Session} and uid = $2 and ${where}
     returning payload->>'accountId' as "userId",
       array(select jsonb_path_query(payload, '${grantPath}') #>> '{}') as grants`,
    [provider, sessionId],
  );
  if (ended) await endGrants(tx, provider, ended.grants);
  return ended;
}

/** Ends the session of a browser that signs out. What has offline access keeps it. Returns whether there was one. */
export async function signOut(
  tx: Queryable,
  provider: string,
  sessionId: string,
): Promise<boolean> {
  return Boolean(await endSession(tx, provider, sessionId, { grantPath: sessionGrants }));
}

/**
 * Marks rather than deletes: a request that has read one would store it again. The codes and refresh tokens of a grant, of which
 * there may be millions, are of no use from then on, and are removed when they expire.
 */
export const endRecord = {
  Session: `update oidc_records set consumed_at = now()
    where provider = $1 and kind = 'Session' and consumed_at is null`,
  Grant: `update oidc_records set consumed_at = now(), expires_at = now(), uid = null
    where provider = $1 and kind = 'Grant' and consumed_at is null`,
};

/** Marks all of a user, or of a client, by statements that each take little time: there may be any number. */
async function endAllOf(
  tx: Queryable,
  provider: string,
  {
    kind,
    ...owner
  }: { kind: keyof typeof endRecord } & ({ accountId: string } | { clientId: string }),
  exceptSession: string | null = null,
): Promise<void> {
  const [[name, value]] = Object.entries(owner) as [[string, string]];
  const isMeant = (session: string) =>
    `(${session}::text is null or uid is distinct from ${session})`;
  let last = '';
  await runInBatches(
    endedAtOnce,
    async (size) => {
      const records = await tx.query<{ id: string }>(
        `select id from oidc_records
         where provider = $1 and kind = '${kind}' and payload->>'${name}' = $2 and consumed_at is null and id > $3
           and ${isMeant('$5')}
         order by id limit $4`,
        [provider, value, last, size, exceptSession],
      );
      const ids = records.map(({ id }) => id);
      await tx.query(`${endRecord[kind]} and id = any($2)`, [provider, ids]);
      last = ids.at(-1) ?? last;
      return ids.length < size;
    },
    // The transaction is over with the first failure.
    () => false,
  );
  // Those that were stored under another id meanwhile: it waits for them, and finds them by their owner.
  await tx.query(`${endRecord[kind]} and payload->>'${name}' = $2 and ${isMeant('$3')}`, [
    provider,
    value,
    exceptSession,
  ]);
}

/** Ends grants: their codes and refresh tokens at once, their access tokens within a second. */
export async function endGrants(
  tx: Queryable,
  provider: string,
  grantIds: readonly string[],
): Promise<void> {
  if (grantIds.length === 0) return;
  await tx.query(`${endRecord.Grant} and id = any($2)`, [provider, grantIds]);
  await revokeGrants(tx, provider, grantIds);
}

/** Ends what people have been granted through a client. */
export async function endGrantsOfClient(
  tx: Queryable,
  provider: string,
  clientId: string,
): Promise<void> {
  await endAllOf(tx, provider, { kind: 'Grant', clientId });
}

/** All of them are read and written with each request of the session, also those that are deleted. */
export const maxClientsOfSession = 200;

/**
 * Names a grant as that of a client of the session, in place of the one that the session was read with, and returns the one that it
 * has: of concurrent sign-ins to the client, the first names it for all. Nothing where the session is not stored yet, or has no room.
 */
export async function claimGrant(
  db: Queryable,
  provider: string,
  session: { uid: string; accountId: string },
  clientId: string,
  { known, candidate }: { known: string | undefined; candidate: string },
): Promise<string | undefined> {
  const named = `payload->'authorizations'->$4::text`;
  const [row] = await db.query<{ grantId: string }>(
    `update oidc_records set payload = jsonb_set(
       jsonb_set(payload, '{authorizations}', coalesce(payload->'authorizations', '{}')),
       array['authorizations', $4],
       case when ${named}->>'grantId' <> coalesce($5, '') then ${named} else coalesce(${named}, '{}') || $6::jsonb end)
     where provider = $1 and kind = 'Session' and uid = $2 and payload->>'accountId' = $3 and consumed_at is null
       and (${named} is not null or jsonb_array_length(jsonb_path_query_array(payload, '$.authorizations.*')) < $7)
     returning ${named}->>'grantId' as "grantId"`,
    [
      provider,
      session.uid,
      session.accountId,
      clientId,
      known ?? null,
      { grantId: candidate },
      maxClientsOfSession,
    ],
  );
  return row?.grantId;
}

/** Notes by which session a grant was given. */
export async function recordGrant(
  db: Queryable,
  provider: string,
  grantId: string,
  sessionId: string,
): Promise<void> {
  await db.query(
    `update oidc_records set uid = $3
     where provider = $1 and kind = 'Grant' and id = $2 and uid is distinct from $3`,
    [provider, grantId, sessionId],
  );
}
