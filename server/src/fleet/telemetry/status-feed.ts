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
/** So many are written or read in one statement, and told in one turn of the event loop. */
export const changesAtOnce = 5_000;

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
    for (const [provider, ids] of changed) {
      const written = watched.has(provider) ? [...ids] : [];
      for (let from = 0; from < written.length; from += changesAtOnce) {
        const part = written.slice(from, from + changesAtOnce).sort();
        await db.query(upsertChanges, [provider, part]).catch(() => {});
      }
    }
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
    let seen = new Map<string, string>();
    let since: string | undefined;
    let renewedAt = Number.NEGATIVE_INFINITY;
    let isRunning = false;

    async function renew(): Promise<void> {
      if (performance.now() - renewedAt <= renewMs) return;
      await db.query(renewLease, [provider, id, leaseSeconds]);
      renewedAt = performance.now();
    }

    async function look(): Promise<void> {
      await renew();
      const [{ now = '' } = {}] = await db.query<{ now: string }>(selectNow, [provider]);
      since ??= now;
      const late = new Map<string, string>();
      try {
        for await (const changes of readChanges(db, provider, since, now)) {
          const ids = changes
            .filter(({ vehicle_id, changed_at }) => seen.get(vehicle_id) !== changed_at)
            .map(({ vehicle_id }) => vehicle_id);
          if (ids.length > 0) for (const tell of onChanged) await tell(ids);
          if (onChanged.size === 0) return;
          for (const { vehicle_id, changed_at, is_late } of changes)
            if (is_late) late.set(vehicle_id, changed_at);
          since = changes.at(-1)?.changed_at ?? since;
          // To tell of many takes longer than a lease.
          await renew();
        }
      } catch (error) {
        // The next look goes on behind what has been told.
        seen = new Map([...seen, ...late]);
        throw error;
      }
      since = now;
      seen = late;
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

type ChangeRow = { vehicle_id: string; changed_at: string; is_late: boolean };

/** The changes until now, in pages; also those of a while before, as they may have been committed late. */
async function* readChanges(
  db: Database,
  provider: string,
  since: string,
  now: string,
): AsyncGenerator<ChangeRow[]> {
  let last: Pick<ChangeRow, 'vehicle_id' | 'changed_at'> | undefined;
  for (;;) {
    const page: ChangeRow[] = await db.query<ChangeRow>(selectChanges, [
      provider,
      since,
      now,
      last?.changed_at ?? '-infinity',
      last?.vehicle_id ?? '',
      changesAtOnce,
    ]);
    yield page;
    last = page.at(-1);
    if (page.length < changesAtOnce) return;
  }
}

// By the clock of the server that has the changes, where there are several.
const selectNow = `
  select clock_timestamp()::text as now
  from (select $1::text as provider) own left join status_changes c on c.provider = $1 and c.vehicle_id = ''`;

/** Those that the next look reads again are late. */
const selectChanges = `
  select vehicle_id, changed_at::text as changed_at, changed_at > $3::timestamptz - interval '3 seconds' as is_late
  from status_changes
  where provider = $1 and changed_at > $2::timestamptz - interval '3 seconds' and changed_at <= $3
    and (changed_at, vehicle_id) > ($4::timestamptz, $5)
  order by changed_at, vehicle_id limit $6`;

const upsertChanges = `
  insert into status_changes (provider, vehicle_id, changed_at)
  select $1, vehicle_id, clock_timestamp() from unnest($2::text[]) vehicle_id
  on conflict (provider, vehicle_id) do update set changed_at = excluded.changed_at`;

const renewLease = `
  insert into status_watchers (provider, watcher, watches_until)
  values ($1, $2, now() + make_interval(secs => $3))
  on conflict (provider, watcher) do update set watches_until = excluded.watches_until`;

const endLease = 'delete from status_watchers where provider = $1 and watcher = $2';
