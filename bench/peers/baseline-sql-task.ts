import { type Database, openDatabase } from '../../server/src/platform/db/database.ts';
import { recordLatencies } from '../load/latencies.ts';
import type { LoadResult } from '../load/load.ts';
import { serveTask } from '../processes.ts';
import type { BaselineJob } from './baseline-sql.ts';

// Shared by all jobs: connecting and disconnecting are not measured.
let db: Database | undefined;

serveTask(async (job: BaselineJob, begin): Promise<LoadResult> => {
  const { baseline, connections, seconds } = job;
  const work = baseline === 'signature' ? await createSigner() : await createQuery(job, baseline);
  begin();
  return repeat(work, connections, seconds);
});

type Work = (turn: number) => Promise<unknown>;

async function createQuery(
  { connection, connections }: BaselineJob,
  { text, values }: { text: string; values: unknown[][] },
): Promise<Work> {
  db ??= openDatabase(connection, { poolSize: connections, statementTimeoutMs: 600_000 });
  const { query } = db;
  const work = (turn: number) => query(text, values[turn % values.length]);
  // Opens every connection and prepares the statement on it before the measurement.
  await Promise.all(Array.from({ length: connections }, (_, turn) => work(turn)));
  return work;
}

/** Repeats the work with this concurrency. */
async function repeat(work: Work, concurrency: number, seconds: number): Promise<LoadResult> {
  const latencies = recordLatencies();
  const deadline = performance.now() + seconds * 1_000;
  let turn = 0;
  const loop = async () => {
    while (performance.now() < deadline) {
      const startedAt = performance.now();
      await work(turn++);
      latencies.add(performance.now() - startedAt);
    }
  };
  await Promise.all(Array.from({ length: concurrency }, loop));
  return { ...latencies.summary(), failed: 0 };
}

/** RS256 over the size of a token. */
async function createSigner(): Promise<Work> {
  const algorithm = {
    name: 'RSASSA-PKCS1-v1_5',
    hash: 'SHA-256',
    modulusLength: 2048,
    publicExponent: new Uint8Array([1, 0, 1]),
  };
  const { privateKey } = await crypto.subtle.generateKey(algorithm, false, ['sign', 'verify']);
  const claims = Buffer.alloc(400, 'x');
  return () => crypto.subtle.sign(algorithm.name, privateKey, claims);
}
