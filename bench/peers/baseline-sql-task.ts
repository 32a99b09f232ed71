import { type Database, openDatabase } from '../../server/src/platform/db/database.ts';
import { recordLatencies } from '../load/latencies.ts';
import type { LoadResult } from '../load/load.ts';
import { serveTask } from '../processes.ts';
import type { BaselineJob } from './baseline-sql.ts';

// Kept from job to job: connecting is no part of the work, and neither is hanging up.
let db: Database | undefined;

serveTask(async (job: BaselineJob, begin): Promise<LoadResult> => {
  const { baseline, connections, seconds } = job;
  const work = baseline === 'signature' ? await signer() : await asker(job, baseline);
  begin();
  return repeat(work, connections, seconds);
});

type Work = (turn: number) => Promise<unknown>;

async function asker(
  { connection, connections }: BaselineJob,
  { text, values }: { text: string; values: unknown[][] },
): Promise<Work> {
  db ??= openDatabase(connection, { poolSize: connections, statementTimeoutMs: 600_000 });
  const { query } = db;
  const work = (turn: number) => query(text, values[turn % values.length]);
  // Every connection is there, and has parsed the statement, before the first one counts.
  await Promise.all(Array.from({ length: connections }, (_, turn) => work(turn)));
  return work;
}

/** Does the work over and over, so many times at once. */
async function repeat(work: Work, atOnce: number, seconds: number): Promise<LoadResult> {
  const latencies = recordLatencies();
  const deadline = performance.now() + seconds * 1_000;
  let turn = 0;
  const loop = async () => {
    while (performance.now() < deadline) {
      const began = performance.now();
      await work(turn++);
      latencies.add(performance.now() - began);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, loop));
  return { ...latencies.summary(), failed: 0 };
}

/** RS256 over as much as a token has. */
async function signer(): Promise<Work> {
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
