import { randomUUID } from 'node:crypto';
import type { Database } from '../../platform/db/database.ts';
import { oncePerDatabase } from '../../platform/db/once-per-database.ts';

// While somebody listens to the statuses of a provider, in any process, every process that stores messages writes down which
// vehicles have reported, once a second. While nobody does, a message costs a lookup in a set (docs/decisions/0050-events.md).

export type StatusFeed = {
  /** Vehicles whose messages have been committed. */
  note(provider: string, vehicleIds: readonly string[]): void;
  /** Calls back with the vehicles that have reported, about once a second; returns what ends it. */
  watch(provider: string, onChanged: (vehicleIds: string[]) => Promise<void>): () => void;
};

const intervalMs = 1_000;
const refreshMs = 2_000;
/** Without messages for so long, a process no longer asks who listens. */
const idleMs = 10_000;
const leaseSeconds = 15;
const renewMs = 5_000;

/** The feed of this process. */
export const statusFeedOf = oncePerDatabase((root): StatusFeed => {
  const db = root.forTenant('statuses', 'internal');
  return { ...createNotes(db), ...createWatchers(db) };
});

function createNotes(db: Database): Pick<StatusFeed, 'note'> {
  let watched: ReadonlySet<string> = new Set();
  let notedAt = 0;
  let refreshedAt = Number.NEGATIVE_INFINITY;
  let refreshing: NodeJS.Timeout | undefined;
  let isFlushing = false;
  let pending = new Map<string, Set<string>>();

  async function refresh(): Promise<void> {
    const rows = await db
      .query<{ provider: string }>(
        'select distinct provider from status_watchers where watches_until > now()',
      )
      // Whoever listens misses statuses for as long as the database does not answer.
      .catch(() => []);
    watched = new Set(rows.map(({ provider }) => provider));
    refreshedAt = performance.now();
    if (performance.now() - notedAt > idleMs) {
      clearInterval(refreshing);
      refreshing = undefined;
    }
  }

  async function flush(): Promise<void> {
    isFlushing = false;
    const changed = pending;
    pending = new Map();
    for (const [provider, ids] of changed)
      if (watched.has(provider))
        await db.query(upsertChanges, [provider, [...ids].sort()]).catch(() => {});
  }

  return {
    note(provider, vehicleIds) {
      notedAt = performance.now();
      if (!refreshing) {
        refreshing = setInterval(() => void refresh(), refreshMs).unref();
        void refresh();
      }
      // After a pause it is not known who listens: the next refresh tells.
      const isKnown = notedAt - refreshedAt < 2 * refreshMs;
      if (isKnown && !watched.has(provider)) return;
      const ids = pending.get(provider) ?? new Set();
      for (const id of vehicleIds) ids.add(id);
      pending.set(provider, ids);
      if (isFlushing) return;
      isFlushing = true;
      setTimeout(() => void flush(), intervalMs).unref();
    },
  };
}

type Watcher = { onChanged: Set<(vehicleIds: string[]) => Promise<void>>; end(): void };

function createWatchers(db: Database): Pick<StatusFeed, 'watch'> {
  const id = randomUUID();
  const watchers = new Map<string, Watcher>();

  function start(provider: string): Watcher {
    const onChanged: Watcher['onChanged'] = new Set();
    const seen = new Map<string, string>();
    let since: string | undefined;
    let renewedAt = Number.NEGATIVE_INFINITY;
    let isRunning = false;

    async function look(): Promise<void> {
      if (performance.now() - renewedAt > renewMs) {
        await db.query(renewLease, [provider, id, leaseSeconds]);
        renewedAt = performance.now();
      }
      const [now, rows] = await readChanges(db, provider, since);
      since = now;
      const changed = rows.filter(
        ({ vehicle_id, changed_at }) => seen.get(vehicle_id) !== changed_at,
      );
      seen.clear();
      for (const { vehicle_id, changed_at } of rows) seen.set(vehicle_id, changed_at);
      const ids = changed.map(({ vehicle_id }) => vehicle_id);
      if (ids.length > 0) for (const tell of onChanged) await tell(ids);
    }

    const timer = setInterval(() => {
      if (isRunning) return;
      isRunning = true;
      void look()
        .catch(() => {})
        .finally(() => {
          isRunning = false;
        });
    }, intervalMs).unref();
    return {
      onChanged,
      end() {
        clearInterval(timer);
        watchers.delete(provider);
        void db.query(endLease, [provider, id]).catch(() => {});
      },
    };
  }

  return {
    watch(provider, onChanged) {
      const watcher = watchers.get(provider) ?? start(provider);
      watchers.set(provider, watcher);
      watcher.onChanged.add(onChanged);
      return () => {
        watcher.onChanged.delete(onChanged);
        if (watcher.onChanged.size === 0) watcher.end();
      };
    },
  };
}

type ChangeRow = { vehicle_id: string; changed_at: string };

/** Also those of a while before, as they may have been committed late. */
async function readChanges(
  db: Database,
  provider: string,
  since: string | undefined,
): Promise<[now: string, rows: ChangeRow[]]> {
  const rows = await db.query<ChangeRow & { now: string }>(selectChanges, [
    provider,
    since ?? null,
  ]);
  const changes = rows.filter(({ vehicle_id }) => vehicle_id !== null);
  return [rows[0]?.now ?? '', changes];
}

const selectChanges = `
  select clock.now::text as now, c.vehicle_id, c.changed_at::text as changed_at
  from (select clock_timestamp() as now) clock
  left join status_changes c on c.provider = $1 and c.changed_at > coalesce($2::timestamptz, clock.now) - interval '3 seconds'`;

const upsertChanges = `
  insert into status_changes (provider, vehicle_id, changed_at)
  select $1, vehicle_id, clock_timestamp() from unnest($2::text[]) vehicle_id
  on conflict (provider, vehicle_id) do update set changed_at = excluded.changed_at`;

const renewLease = `
  insert into status_watchers (provider, watcher, watches_until)
  values ($1, $2, now() + make_interval(secs => $3))
  on conflict (provider, watcher) do update set watches_until = excluded.watches_until`;

const endLease = 'delete from status_watchers where provider = $1 and watcher = $2';
