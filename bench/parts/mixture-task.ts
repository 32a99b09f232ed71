import { Agent, request as send } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { recordLatencies } from '../load/latencies.ts';
import { timePlaceholder } from '../load/load.ts';
import { serveTask } from '../processes.ts';
import type { Unsigned } from '../scenarios.ts';
import type { KindResult, MixtureJob } from './mixture.ts';

/** Between an answer and the next request of a runClient. */
const longestPauseMs = 200;
/** Renewed before the token expires. */
const tokenUseMs = 240_000;
const timeoutMs = 60_000;
const agent = new Agent({ keepAlive: true });

serveTask(async (job: MixtureJob, begin): Promise<KindResult[]> => {
  begin();
  const recorders = new Map<string, ReturnType<typeof createRecorder>>();
  const recorderOf = (name: string) => {
    const recorder = recorders.get(name) ?? createRecorder(name);
    recorders.set(name, recorder);
    return recorder;
  };
  const deadline = performance.now() + job.seconds * 1_000;

  const requestToken = async (): Promise<string> => {
    const text = await recorderOf('token request').time(
      performance.now(),
      call(job.url, job.token),
    );
    return text === undefined ? '' : JSON.parse(text).access_token;
  };

  const runClient = async (): Promise<void> => {
    let token = await requestToken();
    let issuedAt = performance.now();
    while (performance.now() < deadline) {
      await sleep(Math.random() * longestPauseMs);
      if (token === '' || performance.now() - issuedAt > tokenUseMs) {
        token = await requestToken();
        issuedAt = performance.now();
      }
      const { name, requests } = pick(job.kinds);
      const one = requests[Math.floor(Math.random() * requests.length)];
      if (one) await recorderOf(name).time(performance.now(), call(job.url, one, token));
    }
  };

  /** Sends batches at a fixed rate, whether or not the previous one has been answered. */
  const sendTelemetry = async (): Promise<void> => {
    let token = await requestToken();
    const sent: Promise<unknown>[] = [];
    const startedAt = performance.now();
    for (let number = 0; ; number++) {
      const due = startedAt + (number * 1_000) / job.batchesPerSecond;
      if (due > deadline) break;
      await sleep(Math.max(0, due - performance.now()));
      if (number > 0 && number % Math.ceil((job.batchesPerSecond * tokenUseMs) / 1_000) === 0) {
        token = await requestToken();
      }
      const batch = job.telemetry[number % job.telemetry.length];
      if (batch) sent.push(recorderOf('telemetry').time(due, call(job.url, batch, token)));
    }
    await Promise.all(sent);
  };

  await Promise.all([sendTelemetry(), ...Array.from({ length: job.clients }, runClient)]);
  return [...recorders.values()].map(({ result }) => result());
});

/** Records the results of one kind of request. */
function createRecorder(name: string) {
  const latencies = recordLatencies();
  let count = 0;
  let failed = 0;
  return {
    /** Measures from when the request was due; returns undefined when it failed. */
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
    result(): KindResult {
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
  const text = body?.replaceAll(timePlaceholder, new Date().toISOString());
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
