import { randomUUID } from 'node:crypto';
import { type JobWithMetadata, PgBoss, type Job as TakenJob } from 'pg-boss';
import type { Database, Queryable } from '../db/database.ts';
import type { Job, Jobs } from './job.ts';

export type Queue = Jobs & {
  /** Does jobs as they come, until the queue is closed. */
  work(): Promise<void>;
  /** Does the jobs that wait now, and those that they add. Answers how many. */
  drain(): Promise<number>;
  /** The jobs that have failed for good. */
  dead(): Promise<DeadJob[]>;
  /** Gives dead jobs another row of tries, the ones named or all, or joins them to those that wait. Answers how many. */
  retry(ids?: readonly string[]): Promise<number>;
  /** Waits for the jobs that are being done. */
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
  dependencies: Dependencies;
  /** Whether this process does jobs; otherwise it only adds them. */
  works: boolean;
  onError: (error: unknown, message: string) => void;
};

// A killed worker is missed after the first of these, which is looked at in steps of the second: its
// job begins again within half a minute.
const heartbeatSeconds = 20;
const superviseIntervalSeconds = 5;
const daySeconds = 86_400;
// While the database is away, every kind of job asks for it each second.
const tellEveryMs = 60_000;
const deadQueue = 'dead';
const retryBatch = 1_000;

// One waits; while it is being done, the next may wait.
const policy = 'short';
const queueOptions = {
  heartbeatSeconds,
  expireInSeconds: 900,
  // The last comes some three hours after the first.
  retryLimit: 12,
  retryDelay: 2,
  retryBackoff: true,
  retryDelayMax: 3_600,
  deadLetter: deadQueue,
  deleteAfterSeconds: daySeconds,
};

/** The queue of jobs in the database. */
export async function openQueue<Dependencies>(
  db: Database,
  { kinds, dependencies, works, onError }: Options<Dependencies>,
): Promise<Queue> {
  const boss = new PgBoss({
    db: asPgBossKnowsIt(db),
    migrate: false,
    supervise: works,
    schedule: works,
    superviseIntervalSeconds,
    monitorIntervalSeconds: superviseIntervalSeconds,
  });
  let toldAt = Number.NEGATIVE_INFINITY;
  boss.on('error', (error) => {
    if (Date.now() - toldAt < tellEveryMs) return;
    toldAt = Date.now();
    onError(error, 'the queue of jobs does not answer');
  });
  await boss.start();
  await boss.createQueue(deadQueue, { retentionSeconds: 365 * daySeconds });
  for (const { name } of kinds) {
    await boss.createQueue(name, { policy });
    await boss.updateQueue(name, queueOptions);
    // The library looks a queue up when it is first asked for: now, rather than in the middle of a
    // transaction, where a second connection might never come.
    await boss.findJobs(name, { id: randomUUID() });
  }

  const jobs: Jobs = {
    async add(tx, { name, key }, payload) {
      // An update holds the waiting job until this transaction ends: it will see what was written. One that
      // another transaction has just added may begin before it could be joined: then it is not enough.
      let joined = 0;
      while (joined === 0) {
        const options = { singletonKey: key(payload), db: asPgBossKnowsIt(tx) };
        joined = (await boss.upsert(name, payload, options)).jobs.length;
      }
    },
  };

  const run = async (kind: Job<never, Dependencies>, taken: TakenJob<unknown>) => {
    const payload = taken.data as never;
    const complete = async (tx: Queryable) => {
      const { affected } = (await boss.complete(kind.name, taken, null, {
        db: asPgBossKnowsIt(tx),
      })) as { affected: number };
      if (affected === 0) throw new Error(`Job ${taken.id} was given to another worker meanwhile.`);
    };
    if (kind.transactional === false) {
      await kind.run(payload, { ...dependencies, jobs });
      await complete(db);
      return;
    }
    await db.transaction(async (tx) => {
      await kind.run(payload, { ...dependencies, tx, jobs });
      await complete(tx);
    });
  };

  return {
    ...jobs,
    async work() {
      for (const kind of kinds) {
        if (kind.cron) await boss.schedule(kind.name, kind.cron, {}, { missed: 'once' });
        await boss.work(
          kind.name,
          { pollingIntervalSeconds: 1 },
          async ([taken]: TakenJob<unknown>[]) => {
            if (!taken) return;
            await run(kind, taken).catch((error) => {
              onError(error, `job ${kind.name} failed and will be tried again`);
              throw error;
            });
          },
        );
      }
    },
    async drain() {
      let done = 0;
      for (let before = -1; before < done; ) {
        before = done;
        for (const kind of kinds) {
          for (const taken of await boss.fetch(kind.name, { batchSize: 1_000 })) {
            await run(kind, taken);
            done += 1;
          }
        }
      }
      return done;
    },
    async dead() {
      return (await boss.findJobs<object>(deadQueue, { queued: true })).map(deadJobOf);
    },
    async retry(ids) {
      const named = ids ? { ids: [...ids] } : {};
      const { total, unroutable } = await boss.previewRedrive(deadQueue, named);
      const count = total - unroutable;
      // One whose key waits already is not moved: it has joined, and is not listed any more.
      for (let left = count; left > 0; left -= retryBatch) {
        await boss.redrive(deadQueue, { ...named, limit: retryBatch });
      }
      return count;
    },
    close: () => boss.stop({ close: false, timeout: 10_000 }),
  };
}

function deadJobOf(job: JobWithMetadata): DeadJob {
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

/** The library reads what its own statements answer: in the driver's types, not in ours. */
function asPgBossKnowsIt({ foreign }: Queryable) {
  return { executeSql: foreign };
}
