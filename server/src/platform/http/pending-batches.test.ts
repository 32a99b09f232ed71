import { gzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { startTestService, type TestService } from '../../testing/test-service.ts';
import { beginRequest, type Dialogue } from '../../testing/uploads.ts';

let service: TestService;
const begun: Dialogue[] = [];
beforeAll(async () => {
  service = await startTestService();
});
afterEach(() => {
  for (const { socket } of begun.splice(0)) socket.destroy();
});
afterAll(() => service.stop());

const path = '/api/fleets/v1/DE/ABC/databox/messages';
const lines = 'Content-Type: application/x-ndjson';
const line = `${JSON.stringify({ serial: 'none', timestamp: '2026-01-01T00:00:00Z' })}\n`;
/** As large as a batch may be. */
const batch = Buffer.from(line.repeat(10_000)).subarray(0, 5 * 1_048_576);
const largest = Buffer.concat([batch, Buffer.alloc(5 * 1_048_576 - batch.length, '\n')]);

async function begin(header: string, bytes: Buffer | string): Promise<Dialogue> {
  const dialogue = await beginRequest(service, `POST ${path}`, lines, header);
  begun.push(dialogue);
  await dialogue.write(bytes);
  return dialogue;
}

const isAnswered = ({ received }: Dialogue) => received() !== '';

async function send(body: Buffer | string, headers: Record<string, string> = {}) {
  return service.send({
    method: 'POST',
    path,
    headers: {
      authorization: `Bearer ${await service.token()}`,
      'content-type': 'application/x-ndjson',
      ...headers,
    },
    body,
  });
}

test.each([
  [
    'in gzip',
    () => {
      const sent = gzipSync(largest);
      return [
        `Content-Encoding: gzip\r\nContent-Length: ${sent.length}`,
        sent.subarray(0, -1),
      ] as const;
    },
  ],
  [
    'in chunks',
    () => ['Transfer-Encoding: chunked', `500000\r\n${largest.toString('latin1')}\r\n`] as const,
  ],
  [
    'with their length',
    () => [`Content-Length: ${largest.length}`, largest.subarray(0, 1_000)] as const,
  ],
])('large batches %s that wait are a few of a client at most', async (_how, stalled) => {
  const [header, bytes] = stalled();
  for (let count = 0; count < 7; count++) await begin(header, bytes);
  await expect.poll(() => begun.filter(isAnswered)).toHaveLength(1);
  const [refused] = begun.filter(isAnswered);
  await expect.poll(() => refused?.received()).toMatch(/^HTTP\/1.1 429 .*retry-after: \d/is);

  // Small ones are received beside them, and large ones when these have ended.
  expect((await send(line)).status).toBe(200);
  expect((await send(gzipSync(line), { 'content-encoding': 'gzip' })).status).toBe(200);
  expect(begun.filter(isAnswered)).toEqual([refused]);
  for (const { socket } of begun) socket.destroy();
  await expect.poll(async () => (await send(largest)).status).toBe(200);
});
