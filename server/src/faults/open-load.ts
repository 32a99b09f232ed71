import { Agent, request } from 'node:http';
import type { Access } from './load.ts';

/**
 * A program: requests at a rate, whether or not they are answered, as from many people who do not know of each other. Its
 * argument is `OpenLoad` as JSON, and it prints `LoadResult` as JSON.
 */
export type OpenLoad = {
  accesses: Access[];
  ids: string[][];
  perSecond: number;
  durationMs: number;
};

export type LoadResult = {
  sent: number;
  /** How long each took in milliseconds, by status; 0 for none. */
  tookMs: Record<number, number[]>;
};

const { accesses, ids, perSecond, durationMs } = JSON.parse(process.argv[2] ?? '{}') as OpenLoad;
const agent = new Agent({
  keepAlive: true,
  maxSockets: Number.POSITIVE_INFINITY,
  maxFreeSockets: Number.POSITIVE_INFINITY,
  scheduling: 'lifo',
});
const result: LoadResult = { sent: 0, tookMs: {} };

function send(number: number): Promise<void> {
  const index = number % accesses.length;
  const { url, base, token } = accesses[index] as Access;
  const own = ids[index] as string[];
  const id = own[(number * 7) % own.length];
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const [method, path, body] =
    number % 3 === 0
      ? ['PUT', `${base}/${id}`, JSON.stringify({ information: { seats: (number % 9) + 1 } })]
      : [
          'POST',
          `${base}/vehicles`,
          JSON.stringify({ searchText: `${number % 1_000}`, pagination: { pageSize: 100 } }),
        ];
  const startedAt = performance.now();
  return new Promise((resolve) => {
    const record = (status: number) => {
      result.tookMs[status] ??= [];
      result.tookMs[status].push(Math.round(performance.now() - startedAt));
      resolve();
    };
    request(new URL(path, url), { method, headers, agent }, (incoming) => {
      incoming.resume().on('close', () => record(incoming.statusCode ?? 0));
    })
      .on('error', () => record(0))
      .end(body);
  });
}

/** Clients keep their connections: what it costs to open them is not measured. */
async function connect(count: number): Promise<void> {
  const { url } = accesses[0] as Access;
  await Promise.all(
    Array.from(
      { length: count },
      () =>
        new Promise<void>((resolve, reject) => {
          request(new URL('/health/live', url), { agent }, (incoming) => {
            incoming.resume().on('close', resolve);
          })
            .on('error', reject)
            .end();
        }),
    ),
  );
}

await connect(1_000);
const begin = performance.now();
const pending: Promise<void>[] = [];
while (performance.now() - begin < durationMs) {
  const due = ((performance.now() - begin) / 1_000) * perSecond;
  for (; result.sent < due; result.sent += 1) pending.push(send(result.sent));
  await new Promise((resolve) => setTimeout(resolve, 5));
}
await Promise.all(pending);
process.stdout.write(JSON.stringify(result), () => process.exit());
