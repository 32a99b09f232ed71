import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Job as FetchedJob, type JobResult, type JobWithMetadata, PgBoss } from 'pg-boss';
import type { Database, Queryable } from '../db/database.ts';
import { serializeError } from '../logger.ts';
import type { SpanOptions } from '../tracing/trace-span.ts';
import { errorType, inSpan } from '../tracing/tracing.ts';
import { findBacklogs } from './backlog.ts';
import { createBatchTurns } from './batch-turns.ts';
import { deadQueue } from './dead-jobs.ts';
import { deferralSeconds, isDeferred, limitLockWaits } from './defer-jobs.ts';
import type { BatchedJob, Job, Jobs } from './job.ts';
import { finishedJobs } from './job-metrics.ts';
import { runForMost } from './run-for-most.ts';

export type Queue = Jobs & {
  /** Runs jobs until the queue is closed. */
  work(): Promise<void>;
  /** Runs the waiting jobs and those that they add; returns their number. */
  drain(): Promise<number>;
  /** The jobs in the dead letter queue. */
  listDead(): Promise<DeadJob[]>;
  /** Requeues dead jobs, by id or all of them, unless their key waits already; returns their number. */
  retry(ids?: readonly string[]): Promise<number>;
  /** Waits for the running jobs. */
  close(): Promise<void>;
};

type DeadJob = {
  id: string;
  name: string;
  payload: object;
  addedAt: string;
  tries: number;
  error: string;
};

type Options<Dependencies> = {
  kinds: readonly Job<never, Dependencies>[];
  /** The dependencies of jobs, which may enqueue jobs themselves. */
  dependencies: (jobs: Jobs) => Dependencies;
  /** Whether this process runs jobs; otherwise it only enqueues them. */
  runsJobs: boolean;
  onError: (error: unknown, message: string) => void;
  /** Waits between two jobs of a worker; ends early when the queue is closed. */
  pause?: (ms: number, closed: AbortSignal) => Promise<void>;
};

type Fetched = FetchedJob<unknown>;
/** How tenants take turns at a kind of jobs. */
type Turns = {
  /** Where its jobs are run one by one: takes note of whose is run. */
  during<Result>(payloads: readonly never[], work: () => Promise<Result>): Promise<Result>;
  end(payloads: readonly never[]): Promise<void>;
};
type SingleJob<Payload extends object, Dependencies> = Exclude<
  Job<Payload, Dependencies>,
  BatchedJob<Payload, Dependencies>
>;

// How long a job waits at most for an idle worker to look for it.
const pollingIntervalSeconds = 1;
// Together they bound how long the job of a killed worker waits for its retry.
const heartbeatSeconds = 20;
const superviseIntervalSeconds = 5;
const daySeconds = 86_400;
/** How often jobs that are done are deleted: in one statement, which must not have a day of them to delete. */
const maintenanceIntervalSeconds = 600;
// While the database is unavailable, every kind of job fails to poll each second.
const errorLogIntervalMs = 60_000;
const retryBatch = 1_000;

// Of a kind whose tenants take turns. Those of a transaction keep a connection of the database.
const tenantsAtOnce = 4;
const transactionsAtOnce = 2;
// One outside of a transaction may wait for those of the other tenants.
const expireInSeconds = 7_200;

// One job per key waits; while it runs, the next may wait.
const policy = 'short';
const queueOptions = {
  heartbeatSeconds,
  expireInSeconds: 900,
  // With the backoff, the last retry comes about three hours after the first.
  retryLimit: 12,
  retryDelay: 2,
  retryBackoff: true,
  retryDelayMax: 3_600,
  deadLetter: deadQueue,
  // Of what is done, nobody asks for more; the library looks through all of it every few seconds.
  deleteAfterSeconds: 3_600,
};

// The statement of the library compares the keys of all jobs of the kind that wait. Unprepared: a plan that was made for a
// short queue would be kept for a long one.
const overwriteWaiting = `
  update pgboss.job set data = $3::jsonb
  where name = $1 and singleton_key = $2 and state < 'active' and id = (
    select id from pgboss.job where name = $1 and singleton_key = $2 and state < 'active'
    order by created_on desc limit 1
  )
  returning id`;

const lockWaiting = `
  select id, data from pgboss.job where name = $1 and singleton_key = $2 and state < 'active'
  order by created_on desc limit 1 for update`;
const overwriteJob = 'update pgboss.job set data = $3::jsonb where name = $1 and id = $2';

export async function openQueue<Dependencies>(
  db: Database,
  { kinds, dependencies, runsJobs, onError, pause = waitFor }: Options<Dependencies>,
): Promise<Queue> {
  // Apart, so that heartbeats do not wait for the jobs that they keep alive.
  const jobsDb = db.forTenant('jobs', 'internal');
  const boss = new PgBoss({
    db: pgBossDatabase(db),
    migrate: false,
    supervise: runsJobs,
    reindex: false,
    schedule: runsJobs,
    superviseIntervalSeconds,
    monitorIntervalSeconds: superviseIntervalSeconds,
    maintenanceIntervalSeconds,
  });
  let loggedAt = Number.NEGATIVE_INFINITY;
  boss.on('error', (error) => {
    if (Date.now() - loggedAt < errorLogIntervalMs) return;
    loggedAt = Date.now();
    onError(error, 'the queue of jobs does not answer');
  });
  await boss.start();
  await boss.createQueue(deadQueue, { retentionSeconds: 365 * daySeconds });
  for (const { name } of kinds) {
    await boss.createQueue(name, { policy });
    await boss.updateQueue(name, queueOptions);
    // Makes the library load the queue now: within a transaction, it would wait for a second
    // connection, which might never become free.
    await boss.findJobs(name, { id: randomUUID() });
  }

  const optionsOf = <Payload extends object>(
    tx: Queryable,
    kind: Job<Payload, never>,
    payload: Payload,
  ) => ({
    singletonKey: kind.key(payload),
    db: pgBossDatabase(tx),
    ...(kind.tenant && { group: { id: kind.tenant(payload) } }),
    ...(takesTurns(kind) && kind.transactional === false && { expireInSeconds }),
  });
  const jobs: Jobs = {
    async add(tx, kind, payload, { startAfterSeconds: startAfter } = {}) {
      // Overwriting a waiting job locks it until this transaction ends, so that it sees what was written.
      // A job that another transaction has just added may start first: then another one is needed.
      const options = {
        ...optionsOf(tx, kind, payload),
        ...(startAfter !== undefined && { startAfter }),
      };
      const overwrite = kind.merge ? mergeIntoWaiting : overwriteWaitingJob;
      for (let isAdded = false; !isAdded; ) {
        isAdded =
          (await overwrite(tx, kind, payload)) ||
          (await boss.send(kind.name, payload, options)) !== null;
      }
    },
  };

  const context = dependencies(jobs);
  const complete = async (tx: Queryable, name: string, fetched: readonly Fetched[]) => {
    const { affected } = (await boss.complete(name, [...fetched], null, {
      db: pgBossDatabase(tx),
    })) as { affected: number };
    if (affected < fetched.length)
      throw new Error(`A job ${name} was given to another worker meanwhile.`);
  };
  /** Puts jobs back as new ones, which uses up no try. One of the same key that waits already is enough. */
  const defer = (kind: Job<never, Dependencies>, deferred: readonly Fetched[]) =>
    db.transaction(async (tx) => {
      await complete(tx, kind.name, deferred);
      for (const { data } of deferred) {
        if (kind.merge) {
          await jobs.add(tx, kind, data as never, { startAfterSeconds: deferralSeconds });
          continue;
        }
        const options = { ...optionsOf(tx, kind, data as never), startAfter: deferralSeconds };
        await boss.send(kind.name, data as object, options);
      }
    });
  const runOne = async (kind: SingleJob<never, Dependencies>, fetched: Fetched) => {
    const payload = fetched.data as never;
    if (kind.transactional === false) {
      await kind.run(payload, { ...context, jobs });
      if (kind.isDeletedWhenDone) await boss.deleteJob(kind.name, fetched.id);
      else await complete(db, kind.name, [fetched]);
      return;
    }
    const work = async (tx: Queryable) => {
      await kind.run(payload, { ...context, tx, jobs });
      await complete(tx, kind.name, [fetched]);
    };
    if (!takesTurns(kind)) return jobsDb.transaction(work);
    // Others' jobs do not wait for a connection behind those of this tenant.
    await db.forTenant(kind.tenant(payload), 'jobs').transaction(async (tx) => {
      await limitLockWaits(tx);
      await work(tx);
    });
  };
  const runOfTenant = (kind: BatchedJob<never, Dependencies>, batch: readonly Fetched[]) =>
    jobsDb.transaction(async (tx) => {
      await limitLockWaits(tx);
      const failing = await runForMost(tx, batch, (some) =>
        kind.runBatch(
          some.map(({ data }) => data as never),
          { ...context, tx, jobs },
        ),
      );
      const done = batch.filter((one) => !failing.has(one));
      if (done.length > 0) await complete(tx, kind.name, done);
      return failing;
    });
  /** Returns those that fail, with their errors. */
  const runBatch = async (kind: BatchedJob<never, Dependencies>, batch: readonly Fetched[]) => {
    const failing = new Map<Fetched, unknown>();
    for (const ofTenant of Map.groupBy(batch, ({ data }) => kind.tenant(data as never)).values()) {
      const errors = await runOfTenant(kind, ofTenant).catch(
        (error) => new Map(ofTenant.map((one) => [one, error])),
      );
      for (const [one, error] of errors) failing.set(one, error);
    }
    return failing;
  };
  const run = async (kind: Job<never, Dependencies>, batch: readonly Fetched[]) => {
    if ('runBatch' in kind) return runBatch(kind, batch);
    for (const one of batch) await runOne(kind, one);
    return new Map<Fetched, unknown>();
  };
  const runInSpan = (kind: Job<never, Dependencies>, batch: readonly Fetched[]) =>
    inSpan(`process ${kind.name}`, jobSpan(kind.name, batch.length), async (span) => {
      const failing = await run(kind, batch);
      const [error] = failing.values();
      if (error !== undefined) span?.fail(errorType(error));
      return failing;
    });
  const closing = new AbortController();
  const batchSizeOf = (kind: Job<never, Dependencies>) => ('runBatch' in kind ? kind.batchSize : 1);

  const turnsOf = (kind: Job<never, Dependencies>): Turns | undefined => {
    if ('runBatch' in kind)
      return { during: (_payloads, work) => work(), end: createBatchTurns(db, kind) };
    if (!takesTurns(kind)) return undefined;
    // Without them, the next is the oldest of those that are not running: of few tenants with many, over and over.
    const running = new Set<string>();
    return {
      async during(payloads, work) {
        const tenants = payloads.map(kind.tenant);
        for (const tenant of tenants) running.add(tenant);
        return work().finally(() => {
          for (const tenant of tenants) running.delete(tenant);
        });
      },
      end: createBatchTurns(db, { ...kind, batchSize: 1 }, running),
    };
  };

  /** Runs jobs of a kind as they come. */
  const startWorker = async (kind: Job<never, Dependencies>, turns: Turns | undefined) => {
    const log = (error: unknown) =>
      onError(error, `job ${kind.name} failed and will be tried again`);
    const options = {
      batchSize: batchSizeOf(kind),
      pollingIntervalSeconds,
      perJobResults: true as const,
      ...(takesTurns(kind) && { localGroupConcurrency: 1 }),
    };
    const handle = async (batch: Fetched[]): Promise<JobResult[]> => {
      const startedAt = performance.now();
      const failing = await runInSpan(kind, batch).catch(
        (error) => new Map<Fetched, unknown>(batch.map((one) => [one, error])),
      );
      const deferred = isTransactional(kind)
        ? batch.filter((one) => isDeferred(failing.get(one)))
        : [];
      if (deferred.length > 0) await defer(kind, deferred);
      for (const one of deferred) failing.delete(one);
      const completed = batch.length - deferred.length - failing.size;
      finishedJobs.inc({ job: kind.name, result: 'deferred' }, deferred.length);
      finishedJobs.inc({ job: kind.name, result: 'failed' }, failing.size);
      finishedJobs.inc({ job: kind.name, result: 'completed' }, completed);
      for (const error of new Set(failing.values())) log(error);
      // A tenant's steps take half of the time at most, and leave the processor to others for the rest.
      if (takesTurns(kind) && isTransactional(kind) && deferred.length === 0)
        await pause(performance.now() - startedAt, closing.signal);
      await turns
        ?.end(payloadsOf(batch))
        .catch((error) => onError(error, `tenants cannot take turns at jobs ${kind.name}`));
      // More may wait, such as what this job has added: it is fetched without delay.
      boss.notifyWorker(worker);
      return batch.map(({ id }, index): JobResult => {
        const error = failing.get(batch[index] as Fetched);
        return error === undefined
          ? { id, status: 'completed' }
          : { id, status: 'failed', output: serializeError(error as Error) };
      });
    };
    const worker = await boss.work(kind.name, options, (batch: Fetched[]) =>
      turns ? turns.during(payloadsOf(batch), () => handle(batch)) : handle(batch),
    );
  };

  const listDead = async () =>
    (await boss.findJobs<object>(deadQueue, { queued: true })).map(toDeadJob);
  /** Requeues the dead jobs of kinds that merge: the library would drop one whose key waits already. */
  const retryMerging = async (ids?: readonly string[]) => {
    let count = 0;
    for (const { id, name, payload } of await listDead()) {
      const kind = kinds.find((one) => one.name === name);
      if (!kind?.merge || (ids && !ids.includes(id))) continue;
      await db.transaction(async (tx) => {
        await boss.deleteJob(deadQueue, id, { db: pgBossDatabase(tx) });
        await jobs.add(tx, kind, payload as never);
      });
      count += 1;
    }
    return count;
  };

  return {
    ...jobs,
    async work() {
      for (const kind of kinds) {
        if (kind.cron) await boss.schedule(kind.name, kind.cron, {}, { missed: 'once' });
        // An earlier release may have had one.
        else await boss.unschedule(kind.name);
        // Each by itself, so that each can be told to look for more at once.
        const turns = turnsOf(kind);
        for (let workers = workersOf(kind); workers > 0; workers--) await startWorker(kind, turns);
      }
    },
    async drain() {
      let done = 0;
      for (let before = -1; before < done; ) {
        before = done;
        const backlogs = await findBacklogs(db);
        const due = new Set(backlogs.filter(({ waiting }) => waiting > 0).map(({ name }) => name));
        for (const kind of kinds.filter(({ name }) => due.has(name))) {
          const batch = await boss.fetch(kind.name, { batchSize: 1_000 });
          const failing = await run(kind, batch);
          for (const error of failing.values()) throw error;
          done += batch.length;
        }
      }
      return done;
    },
    listDead,
    async retry(ids) {
      const merged = await retryMerging(ids);
      const named = ids ? { ids: [...ids] } : {};
      const { total, unroutable } = await boss.previewRedrive(deadQueue, named);
      const count = total - unroutable;
      // One whose key waits already is removed without being requeued.
      for (let left = count; left > 0; left -= retryBatch) {
        await boss.redrive(deadQueue, { ...named, limit: retryBatch });
      }
      return merged + count;
    },
    close() {
      closing.abort();
      return boss.stop({ close: false, timeout: 10_000 });
    },
  };
}

/** Whether a job of the key waits. */
async function overwriteWaitingJob<Payload extends object>(
  tx: Queryable,
  kind: Job<Payload, never>,
  payload: Payload,
): Promise<boolean> {
  const values = [kind.name, kind.key(payload), JSON.stringify(payload)];
  return (await tx.rawQuery(overwriteWaiting, values)).rowCount !== 0;
}

async function mergeIntoWaiting<Payload extends object>(
  tx: Queryable,
  kind: Job<Payload, never>,
  payload: Payload,
): Promise<boolean> {
  const [waiting] = (await tx.rawQuery(lockWaiting, [kind.name, kind.key(payload)])).rows;
  if (!waiting) return false;
  const merged = kind.merge?.(waiting.data, payload) ?? payload;
  await tx.rawQuery(overwriteJob, [kind.name, waiting.id, JSON.stringify(merged)]);
  return true;
}

function jobSpan(name: string, batchSize: number): SpanOptions {
  return {
    kind: 'consumer',
    parent: null,
    attributes: {
      'messaging.system': 'pg-boss',
      'messaging.operation.name': 'process',
      'messaging.operation.type': 'process',
      'messaging.destination.name': name,
      'messaging.batch.message_count': batchSize,
    },
  };
}

const payloadsOf = (batch: readonly Fetched[]) => batch.map(({ data }) => data as never);

function workersOf<Dependencies>(kind: Job<never, Dependencies>): number {
  if (!takesTurns(kind)) return 1;
  return isTransactional(kind) ? transactionsAtOnce : tenantsAtOnce;
}

function isTransactional<Dependencies>(kind: Job<never, Dependencies>): boolean {
  return !('transactional' in kind && kind.transactional === false);
}

async function waitFor(ms: number, closed: AbortSignal): Promise<void> {
  // It is aborted when the queue is closed.
  await sleep(ms, undefined, { signal: closed }).catch(() => {});
}

function takesTurns<Payload extends object, Dependencies>(
  kind: Job<Payload, Dependencies>,
): kind is SingleJob<Payload, Dependencies> & { tenant(payload: Payload): string } {
  return !('runBatch' in kind) && 'tenant' in kind;
}

function toDeadJob(job: JobWithMetadata): DeadJob {
  const { id, sourceName, sourceCreatedOn, sourceRetryCount, sourceOutput, data } = job;
  const { value, message } = (sourceOutput ?? {}) as { value?: unknown; message?: string };
  return {
    id,
    name: sourceName ?? '',
    payload: data,
    addedAt: (sourceCreatedOn ?? job.createdOn).toISOString(),
    tries: (sourceRetryCount ?? 0) + 1,
    error: message ?? JSON.stringify(value ?? null),
  };
}

/** The library expects results in the driver's column types. */
function pgBossDatabase({ rawQuery }: Queryable) {
  return { executeSql: rawQuery };
}
