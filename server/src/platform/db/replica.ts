import { Counter, Gauge } from 'prom-client';
import { metrics } from '../metrics.ts';
import { type Database, type DatabaseOptions, openDatabase, type Queryable } from './database.ts';
import { ReplaySamples } from './replay-samples.ts';
import type { Connection } from './servers.ts';
import { isConnectionError } from './unavailable.ts';

/** A standby that searches may read, which is behind the primary by a little (docs/decisions/0074-read-replicas.md). */
export type ReadReplica = {
  db: Database;
  /** Whether it is up to date enough, and has what the provider has written through this process and up to the position. */
  serves(provider: string, position?: string): boolean;
  /** After a write of the provider; returns the position of the log that a replica has to reach. */
  noteWrite(provider: string): Promise<string | undefined>;
  /** Whether the error is the replica's alone, so that the primary may answer; it is then not used until it answers. */
  isToBlame(error: unknown): boolean;
  close(): Promise<void>;
};

const pollMs = 100;
const maxLagMs = 5_000;
/** Of a write whose position could not be read. */
const unknownPosition = 2n ** 64n;
const conflictWithRecovery = '40001';

const reads = new Counter({
  name: 'motorpool_replica_reads_total',
  help: 'Searches that may read a replica, by the server that they read; failed on the replica, and read again on the primary',
  labelNames: ['result'],
  registers: [metrics],
});
const lag = new Gauge({
  name: 'motorpool_replica_lag_seconds',
  help: 'How old what the replica has not replayed is, or how long it has not answered; of several processes, the most',
  aggregator: 'max',
  registers: [metrics],
});

export function openReplica(
  connection: Connection,
  primary: Database,
  options: DatabaseOptions,
): ReadReplica {
  const db = openDatabase(connection, options);
  /** Of providers whose last write it may not have. */
  const awaited = new Map<string, bigint>();
  const samples = new ReplaySamples();
  let replayed = 0n;
  /** It has everything that was committed before; not known before it has answered. */
  let coversUntil = performance.now();
  let hasAnswered = false;
  let pending: Promise<bigint> | undefined;
  let isClosed = false;

  const lagMs = () => performance.now() - coversUntil;

  async function poll(): Promise<void> {
    const takenAt = performance.now();
    const unknown = [...awaited].filter(([, position]) => position === unknownPosition);
    const [current, reached] = await Promise.all([
      readPosition(primary, primaryPosition),
      readPosition(db, replicaPosition),
    ]);
    replayed = reached;
    samples.add(takenAt, current);
    const covered = samples.takeReplayed(replayed);
    if (covered !== undefined) {
      coversUntil = covered;
      hasAnswered = true;
    }
    for (const [provider] of unknown) awaited.set(provider, current);
    for (const [provider, position] of awaited) if (position <= replayed) awaited.delete(provider);
  }

  let timer: NodeJS.Timeout;
  const pollAgain = () => {
    if (isClosed) return;
    lag.set(lagMs() / 1_000);
    timer = setTimeout(
      () =>
        void poll()
          .catch(() => {})
          .then(pollAgain),
      pollMs,
    ).unref();
  };
  void poll()
    .catch(() => {})
    .then(pollAgain);

  /** One query for all writes that have ended before it is sent. */
  function currentPosition(): Promise<bigint> {
    pending ??= new Promise<void>((resolve) => setImmediate(resolve)).then(() => {
      pending = undefined;
      return readPosition(primary, primaryPosition);
    });
    return pending;
  }

  function isCurrent(provider: string, position: string | undefined): boolean {
    if (!hasAnswered || lagMs() > maxLagMs) return false;
    const own = awaited.get(provider) ?? 0n;
    const asked = position === undefined ? 0n : parsePosition(position);
    return own <= replayed && asked <= replayed;
  }

  return {
    db,
    serves(provider, position) {
      const isServed = isCurrent(provider, position);
      reads.inc({ result: isServed ? 'replica' : 'primary' });
      return isServed;
    },
    async noteWrite(provider) {
      const position = await currentPosition().catch(() => unknownPosition);
      const known = awaited.get(provider) ?? 0n;
      if (position > known) awaited.set(provider, position);
      return position === unknownPosition ? undefined : formatPosition(position);
    },
    isToBlame(error) {
      const isConflict = (error as { code?: string }).code === conflictWithRecovery;
      if (!isConflict && !isConnectionError(error)) return false;
      reads.inc({ result: 'failed' });
      if (!isConflict) hasAnswered = false;
      return true;
    },
    close() {
      isClosed = true;
      clearTimeout(timer);
      return db.close();
    },
  };
}

const primaryPosition = 'select pg_current_wal_insert_lsn()::text as position';
const replicaPosition = `
  select case when pg_is_in_recovery() then pg_last_wal_replay_lsn() else pg_current_wal_insert_lsn() end::text as position`;

async function readPosition(db: Queryable, text: string): Promise<bigint> {
  const [row] = await db.query<{ position: string }>(text);
  return parsePosition(row?.position ?? '');
}

/** Of PostgreSQL's notation, such as 16/B374D848; anything else is never reached. */
function parsePosition(text: string): bigint {
  const [, high, low] = /^([0-9A-F]{1,8})\/([0-9A-F]{1,8})$/i.exec(text) ?? [];
  if (high === undefined || low === undefined) return unknownPosition;
  return (BigInt(`0x${high}`) << 32n) + BigInt(`0x${low}`);
}

function formatPosition(position: bigint): string {
  const hex = (part: bigint) => part.toString(16).toUpperCase();
  return `${hex(position >> 32n)}/${hex(position & 0xff_ff_ff_ffn)}`;
}
