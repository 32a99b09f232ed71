import { Agent, request as send } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { recordLatencies } from '../load/latencies.ts';
import { momentMark } from '../load/load.ts';
import { serveTask } from '../processes.ts';
import type { Unsigned } from '../scenarios.ts';
import type { KindResult, MixtureJob } from './mixture.ts';

/** A client takes up to this long between an answer and its next request. */
const longestPauseMs = 200;
/** A token lives 300 seconds; a client asks for the next one in time. */
const tokenUseMs = 240_000;
const timeoutMs = 60_000;
const agent = new Agent({ keepAlive: true });

serveTask(async (job: MixtureJob, begin): Promise<KindResult[]> => {
  begin();
  const books = new Map<string, ReturnType<typeof openBook>>();
  const book = (name: string) => {
    const known = books.get(name) ?? openBook(name);
    books.set(name, known);
    return known;
  };
  const deadline = performance.now() + job.seconds * 1_000;

  const askForToken = async (): Promise<string> => {
    const text = await book('token request').time(performance.now(), call(job.url, job.token));
    return text === undefined ? '' : JSON.parse(text).access_token;
  };

  const client = async (): Promise<void> => {
    let token = await askForToken();
    let askedAt = performance.now();
    while (performance.now() < deadline) {
      await sleep(Math.random() * longestPauseMs);
      if (token === '' || performance.now() - askedAt > tokenUseMs) {
        token = await askForToken();
        askedAt = performance.now();
      }
      const { name, requests } = pick(job.kinds);
      const one = requests[Math.floor(Math.random() * requests.length)];
      if (one) await book(name).time(performance.now(), call(job.url, one, token));
    }
  };

  /** Batches leave when they are due, whether or not the one before has been answered. */
  const boxes = async (): Promise<void> => {
    let token = await askForToken();
    const sent: Promise<unknown>[] = [];
    const began = performance.now();
    for (let number = 0; ; number++) {
      const due = began + (number * 1_000) / job.batchesPerSecond;
      if (due > deadline) break;
      await sleep(Math.max(0, due - performance.now()));
      if (number > 0 && number % Math.ceil((job.batchesPerSecond * tokenUseMs) / 1_000) === 0) {
        token = await askForToken();
      }
      const batch = job.telemetry[number % job.telemetry.length];
      if (batch) sent.push(book('telemetry').time(due, call(job.url, batch, token)));
    }
    await Promise.all(sent);
  };

  await Promise.all([boxes(), ...Array.from({ length: job.clients }, client)]);
  return [...books.values()].map(({ close }) => close());
});

/** Keeps what became of one kind of request. */
function openBook(name: string) {
  const latencies = recordLatencies();
  let count = 0;
  let failed = 0;
  return {
    /** Counts from when the request was due; answers nothing when it failed. */
    async time(due: number, answer: Promise<string>): Promise<string | undefined> {
      count++;
      try {
        return await answer;
      } catch {
        failed++;
        return undefined;
      } finally {
        latencies.add(performance.now() - due);
      }
    },
    close(): KindResult {
      const { p50, p99 } = latencies.summary();
      return { name, count, p50, p99, failed };
    },
  };
}

function pick(kinds: MixtureJob['kinds']): MixtureJob['kinds'][number] {
  let left = Math.random() * kinds.reduce((sum, { weight }) => sum + weight, 0);
  for (const kind of kinds) {
    left -= kind.weight;
    if (left < 0) return kind;
  }
  return kinds.at(-1) as MixtureJob['kinds'][number];
}

/** The text of a successful answer. */
function call(
  url: string,
  { method, path, type, body }: Unsigned,
  token?: string,
): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const text = body?.replaceAll(momentMark, new Date().toISOString());
  const headers = {
    ...(type && { 'content-type': type }),
    ...(token && { authorization: `Bearer ${token}` }),
    ...(text !== undefined && { 'content-length': Buffer.byteLength(text) }),
  };
  const options = { method, headers, agent, timeout: timeoutMs };
  const request = send(`${url}${path}`, options, (response) => {
    const chunks: Buffer[] = [];
    response.on('data', (chunk) => chunks.push(chunk));
    response.on('error', reject);
    response.on('end', () => {
      if (response.statusCode === 200) resolve(Buffer.concat(chunks).toString());
      else reject(new Error(String(response.statusCode)));
    });
  });
  request.on('timeout', () => request.destroy(new Error('timeout')));
  request.on('error', reject);
  request.end(text);
  return promise;
}
