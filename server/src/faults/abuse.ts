import { Agent, request } from 'node:http';
import type { Access } from './load.ts';

/** A program: all that one provider can do to others, until it is killed. Its argument is the access as JSON. */

const { url, base, token } = JSON.parse(process.argv[2] ?? '{}') as Access;
const { hostname, port } = new URL(url);
const agent = new Agent({ keepAlive: true, maxSockets: Number.POSITIVE_INFINITY });
const statuses: Record<number, number> = {};

const vins = (count: number) => Array.from({ length: count }, (_, index) => `WVWZZZ1KZ${index}`);
/** As many comparisons per vehicle as are allowed, and far more. */
const search = (filters: number, values: number, number: number) =>
  JSON.stringify({
    filters: Array.from({ length: filters }, () => ({
      field: 'information.vin',
      operator: 'notIn',
      value: [`search ${number}`, ...vins(values - 1)],
    })),
  });
const text = (number: number) =>
  JSON.stringify({
    filters: Array.from({ length: 50 }, (_, index) => ({
      field: 'information.model',
      operator: 'contains',
      value: `${index}${number}`,
    })),
  });
const page = (number: number) =>
  JSON.stringify({ pagination: { pageSize: 1_000, pageNumber: number % 100 } });

type Sent = { method: string; path: string; body?: string };
const searchFor = (body: string): Sent => ({ method: 'POST', path: `${base}/vehicles`, body });

function send({ method, path, body }: Sent): Promise<void> {
  return new Promise((resolve) => {
    const headers = {
      authorization: `Bearer ${token}`,
      ...(body !== undefined && {
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(body),
      }),
    };
    const outgoing = request({ hostname, port, method, path, headers, agent }, (incoming) => {
      const { statusCode = 0 } = incoming;
      statuses[statusCode] = (statuses[statusCode] ?? 0) + 1;
      incoming.resume().on('close', resolve);
    });
    outgoing.on('error', () => resolve());
    outgoing.end(body);
  });
}

async function repeat(parallel: number, next: (number: number) => Sent): Promise<void> {
  let number = 0;
  const loop = async () => {
    for (;;) await send(next(number++));
  };
  await Promise.all(Array.from({ length: parallel }, loop));
}

process.on('SIGTERM', () => {
  process.stdout.write(`${JSON.stringify(statuses)}\n`, () => process.exit(0));
});

const tooExpensive = search(49, 900, 0);
await Promise.all([
  repeat(12, (number) => searchFor(search(49, 40, number))),
  repeat(12, () => searchFor(tooExpensive)),
  repeat(12, (number) => searchFor(text(number))),
  repeat(12, (number) => searchFor(page(number))),
  repeat(200, (number) => ({ method: 'GET', path: `${base}/DE*ABC*T${number % 1_000}` })),
]);
