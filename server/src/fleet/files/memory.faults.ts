import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { type IncomingMessage, request } from 'node:http';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { recordFigure } from '../../faults/figures.ts';
import { insertLogbookEntry } from '../../testing/make-entries.ts';
import { makeFleet } from '../../testing/make-fleet.ts';
import { createServed, type Served } from '../../testing/serve.ts';
import { startS3, type TestS3 } from '../../testing/start-s3.ts';

const MB = 1_000_000;
const vehicle = 'DE*ABC*T0000';

let served: Served;
let s3: TestS3;

beforeAll(async () => {
  served = await createServed();
  s3 = await startS3();
  await makeFleet(served.db, 'DE', 'ABC', 1);
});
afterAll(async () => {
  await served.close();
  await s3.stop();
});

test.runIf(process.platform === 'linux').each([
  ['a folder', 200 * MB, () => ({ BLOB_URL: `file://${served.folder}/blobs` })],
  [
    'an S3',
    100 * MB,
    () => ({ BLOB_URL: `s3://${s3.bucket}?endpoint=${s3.endpoint}`, ...s3.credentials }),
  ],
])(
  'what goes to %s and comes back takes memory that does not grow with it: %i bytes',
  async (_, size, environment) => {
    const { pid, url, token, kill, ended } = await served.start({
      ...environment(),
      UPLOAD_LIMIT_BYTES: String(size),
    });
    const send = sender(url, token);
    const entry = `/${vehicle}/blobs/logbook/${await insertLogbookEntry(served.db, vehicle)}`;
    const announced = await send('POST', entry, Readable.from(['{"filename":"large"}']));
    const path = `${entry}/${JSON.parse(await textOf(announced)).uuid}`;
    const roundTrip = async (sizeBytes: number) => {
      const uploaded = await send('PUT', path, bytesOf(sizeBytes));
      expect(JSON.parse(await textOf(uploaded))).toMatchObject({ uploaded: true });
      const downloaded = await send('GET', path);
      expect(await hashOf(downloaded)).toBe(await hashOf(bytesOf(sizeBytes)));
    };

    for (let warmUp = 0; warmUp < 2; warmUp++) await roundTrip(20 * MB);
    const before = mostMemoryOf(pid);
    await roundTrip(size);
    const grown = mostMemoryOf(pid) - before;
    recordFigure('large files', `${(grown / MB).toFixed(0)} MB more memory`);
    expect(grown).toBeLessThan(80 * MB);
    kill();
    await ended;
  },
);

/** The most that a process has had in memory so far, in bytes. */
function mostMemoryOf(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1]) * 1024;
}

function bytesOf(size: number): Readable {
  const piece = Buffer.alloc(100_000);
  function* pieces() {
    for (let at = 0; at < size; at += piece.length) {
      piece.writeUInt32LE(at);
      yield Buffer.from(piece);
    }
  }
  return Readable.from(pieces());
}

function sender(url: string, token: string) {
  return (method: string, path: string, body?: Readable) =>
    new Promise<IncomingMessage>((resolve, reject) => {
      const headers = {
        authorization: `Bearer ${token}`,
        ...(body && { 'content-type': 'application/json', 'transfer-encoding': 'chunked' }),
      };
      const outgoing = request(`${url}/api/fleets/v1/DE/ABC${path}`, { method, headers }, resolve);
      outgoing.on('error', reject);
      if (body) body.pipe(outgoing);
      else outgoing.end();
    });
}

async function textOf(incoming: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of incoming) text += chunk;
  return text;
}

async function hashOf(stream: Readable): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of stream) hash.update(chunk);
  return hash.digest('hex');
}
