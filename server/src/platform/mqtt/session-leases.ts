import { randomUUID } from 'node:crypto';
import type { Database, Queryable } from '../db/database.ts';

export type HeldSessions = {
  /** Their numbers. */
  held: number[];
  /** Whether processes, of now or before, hold others. */
  hasOthers: boolean;
};

/** The sessions at the broker that this process holds; no other process holds them meanwhile. */
export type SessionLeases = {
  /** Renews the leases, and takes what nobody holds. */
  renew(): Promise<HeldSessions>;
  release(): Promise<void>;
};

const leaseSeconds = 15;
export const renewalMs = 5_000;
// So that a process that restarts gets its session back.
const takeoverSeconds = 60;

/** Why sessions are leased: docs/decisions/0045-mqtt.md. */
export function sessionLeases(db: Database): SessionLeases {
  const holder = randomUUID();
  const createdAt = performance.now();

  async function take(tx: Queryable, hasNone: boolean): Promise<void> {
    if (await update(tx, takeFree, [holder, leaseSeconds, hasNone ? 0 : takeoverSeconds])) return;
    if (!hasNone || (await update(tx, takeSurplus, [holder, leaseSeconds]))) return;
    // A lease that has not been renewed for so long was the one of a killed process.
    const hasWaited = performance.now() - createdAt > leaseSeconds * 1_000;
    await tx.query(addSession, [holder, leaseSeconds, hasWaited]);
  }

  return {
    renew: () =>
      db.transaction(async (tx) => {
        await tx.query(lockSessions);
        const renewed = await tx.query(renewHeld, [holder, leaseSeconds]);
        await take(tx, renewed.length === 0);
        const sessions = await tx.query<{ number: number; isHeld: boolean }>(selectSessions, [
          holder,
        ]);
        const held = sessions.filter(({ isHeld }) => isHeld).map(({ number }) => number);
        return { held, hasOthers: sessions.length > 1 };
      }),
    async release() {
      await db.query(
        'update mqtt_sessions set holder = null, held_until = now() where holder = $1',
        [holder],
      );
    },
  };
}

async function update(tx: Queryable, statement: string, values: unknown[]): Promise<boolean> {
  return (await tx.query(statement, values)).length > 0;
}

const lockSessions = `select pg_advisory_xact_lock(hashtext('mqtt_sessions'), 0)`;

const selectSessions = `
  select number, holder is not distinct from $1 as "isHeld" from mqtt_sessions order by number`;

const renewHeld = `
  update mqtt_sessions set held_until = now() + make_interval(secs => $2) where holder = $1
  returning number`;

const takeFree = `
  update mqtt_sessions set holder = $1, held_until = now() + make_interval(secs => $2)
  where number = (
    select min(number) from mqtt_sessions where held_until <= now() - make_interval(secs => $3)
  )
  returning number`;

const takeSurplus = `
  update mqtt_sessions set holder = $1, held_until = now() + make_interval(secs => $2)
  where number = (
    select max(number) from mqtt_sessions
    where holder in (select holder from mqtt_sessions group by holder having count(*) > 1)
  )
  returning number`;

const addSession = `
  insert into mqtt_sessions (number, holder, held_until)
  select coalesce(max(number) + 1, 0), $1, now() + make_interval(secs => $2) from mqtt_sessions
  having count(*) = 0 or $3::boolean`;
