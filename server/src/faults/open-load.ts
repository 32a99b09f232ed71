import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
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
const result: LoadResult = { sent: 0, tookMs: {} };

/** Clients keep their connections: what it costs to open them is not measured. */
const connectionCount = 1_000;
/** The last one that was used is used first. */
const idle: Socket[] = [];

function requestOf(number: number): string {
  const index = number % accesses.length;
  const { url, base, token } = accesses[index] as Access;
  const own = ids[index] as string[];
  const [method, path, body] =
    number % 3 === 0
      ? [
          'PUT',
          `${base}/${own[(number * 7) % own.length]}`,
          JSON.stringify({ information: { seats: (number % 9) + 1 } }),
        ]
      : [
          'POST',
          `${base}/vehicles`,
          JSON.stringify({ searchText: `${number % 1_000}`, pagination: { pageSize: 100 } }),
        ];
  return `${method} ${path} HTTP/1.1\r\nhost: ${new URL(url).host}\r\nauthorization: Bearer ${token}\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
}

/** Without an HTTP client, which would take much of the processor that the service is measured on. */
async function send(number: number): Promise<void> {
  const socket = idle.pop() ?? (await open());
  const startedAt = performance.now();
  socket.write(requestOf(number));
  const status = await readAnswer(socket);
  result.tookMs[status] ??= [];
  result.tookMs[status].push(Math.round(performance.now() - startedAt));
  if (!socket.destroyed) idle.push(socket);
}

async function open(): Promise<Socket> {
  const { hostname, port } = new URL((accesses[0] as Access).url);
  const socket = connect({ host: hostname, port: Number(port), noDelay: true });
  await once(socket, 'connect');
  return socket;
}

/** The status of an answer, all of which was read; 0 when the connection ended before. */
function readAnswer(socket: Socket): Promise<number> {
  return new Promise((resolve) => {
    let head = '';
    let status = 0;
    let left = Number.POSITIVE_INFINITY;
    const end = (outcome: number) => {
      socket.removeAllListeners();
      // A connection that fails while it is idle is no answer.
      socket.on('error', () => socket.destroy());
      resolve(outcome);
    };
    socket.removeAllListeners();
    socket.on('error', () => end(0));
    socket.on('close', () => end(0));
    socket.on('data', (chunk) => {
      if (status > 0) left -= chunk.length;
      else {
        head += chunk.toString('latin1');
        const headersEnd = head.indexOf('\r\n\r\n');
        if (headersEnd < 0) return;
        const length = /\r\ncontent-length: (\d+)/i.exec(head.slice(0, headersEnd))?.[1];
        status = Number(head.slice('HTTP/1.1 '.length, 'HTTP/1.1 200'.length));
        left = Number(length) - (head.length - headersEnd - '\r\n\r\n'.length);
      }
      if (left <= 0) end(status);
    });
  });
}

idle.push(...(await Promise.all(Array.from({ length: connectionCount }, open))));
const begin = performance.now();
const pending: Promise<void>[] = [];
while (performance.now() - begin < durationMs) {
  const due = ((performance.now() - begin) / 1_000) * perSecond;
  for (; result.sent < due; result.sent += 1) pending.push(send(result.sent));
  await new Promise((resolve) => setTimeout(resolve, 5));
}
await Promise.all(pending);
process.stdout.write(JSON.stringify(result), () => process.exit());
