import { createHash, randomBytes, randomInt } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { recordFigure } from '../../faults/figures.ts';
import { type Answer, type Sent, send } from '../../testing/http-client.ts';
import { insertLogbookEntry } from '../../testing/make-entries.ts';
import { makeFleet } from '../../testing/make-fleet.ts';
import { createServed, type Served } from '../../testing/serve.ts';
import { untilDisconnected } from '../../testing/until-disconnected.ts';

const rounds = Number(process.env.KILL_ROUNDS ?? 1);
const vehicle = 'DE*ABC*T0000';

let served: Served;
let folder: string;

beforeAll(async () => {
  served = await createServed();
  await makeFleet(served.db, 'DE', 'ABC', 1);
  folder = join(served.folder, 'blobs');
});
afterAll(() => served.close());

type Call = (method: string, path: string, body?: Sent['body']) => Promise<Answer>;

/** The state of a file as its client knows it. */
type File = {
  path: string;
  /** Of the last upload with a response; later ones may have succeeded without one. */
  acknowledged?: string;
  sentSince: Set<string>;
  removal: 'none' | 'asked' | 'answered';
};

test(
  `kill -9 while files are uploaded, replaced and removed (${rounds}×): no file that says it is uploaded lacks a byte, and no byte stays that nobody owns`,
  async () => {
    const counts = { files: 0, uploaded: 0, cutShort: 0 };
    const entries: string[] = [];
    let service = await served.start({ BLOB_URL: `file://${folder}`, LOG_LEVEL: 'info' });
    for (let round = 0; round < rounds; round++) {
      const files: File[] = [];
      // One of its own, as a record may have only so many files.
      const entry = await insertLogbookEntry(served.db, vehicle);
      entries.push(entry);
      const clients = Array.from({ length: 4 }, () => busyClient(callerOf(service), entry, files));
      while (!files.some(({ acknowledged }) => acknowledged)) await sleep(5);
      await sleep(randomInt(20, 400));
      service.kill('SIGKILL');
      await Promise.all([...clients, service.ended]);
      // The next start finds them old enough to be swept.
      await served.db.query(`update stored_objects set created_at = now() - interval '2 hours'`);
      service = await served.start({ BLOB_URL: `file://${folder}`, LOG_LEVEL: 'info' });
      for (const file of files) {
        const state = await check(callerOf(service), file);
        counts.files++;
        if (state === 'uploaded') counts.uploaded++;
        if (file.sentSince.size > 0) counts.cutShort++;
      }
    }
    const owned = await ownedFiles();
    // The job of a killed process is given to another one after its last heartbeat.
    await vi.waitUntil(async () => (await filesIn(folder)).length <= owned.length, 60_000);
    recordFigure(
      'service killed while files come',
      `${rounds} kills: ${counts.files} files, ${counts.uploaded} uploaded, ${counts.cutShort} cut short`,
    );
    expect(await filesIn(folder)).toEqual(owned);
    for (const entry of entries) {
      const { text } = await callerOf(service)('GET', `/${vehicle}/logbook/${entry}`);
      for (const { uuid, uploaded } of JSON.parse(text).blobs ?? []) {
        const { status } = await callerOf(service)('GET', `${filesOf(entry)}/${uuid}`);
        expect(status).toBe(uploaded ? 200 : 404);
      }
    }
    service.kill();
    await service.ended;
  },
  120_000 + rounds * 20_000,
);

const filesOf = (entry: string) => `/${vehicle}/blobs/logbook/${entry}`;

function callerOf({ url, token }: { url: string; token: string }): Call {
  return (method, path, body) =>
    send(url, {
      method,
      path: `/api/fleets/v1/DE/ABC${path}`,
      headers: {
        authorization: `Bearer ${token}`,
        ...(method === 'POST' && { 'content-type': 'application/json' }),
      },
      body,
    });
}

/** Announces files, uploads each once or several times, removes some; until the service is killed. */
async function busyClient(call: Call, entry: string, files: File[]): Promise<void> {
  await untilDisconnected(async () => {
    const { status, json } = await call('POST', filesOf(entry), '{"filename":"x"}');
    expect(status).toBe(201);
    const path = `${filesOf(entry)}/${json.uuid}`;
    const file: File = { path, sentSince: new Set(), removal: 'none' };
    files.push(file);
    for (let uploads = randomInt(1, 4); uploads > 0; uploads--) await uploadOnce(call, file);
    if (randomInt(5) === 0) {
      file.removal = 'asked';
      expect((await call('DELETE', file.path)).status).toBe(204);
      file.removal = 'answered';
    }
  });
}

async function uploadOnce(call: Call, file: File): Promise<void> {
  const bytes = randomBytes(randomInt(2) === 0 ? randomInt(5_000) : randomInt(3_000_000));
  const hash = hashOf(bytes);
  file.sentSince.add(hash);
  expect((await call('PUT', file.path, bytes)).status).toBe(200);
  file.acknowledged = hash;
  file.sentSince.clear();
}

/** What had a response is durable; what was in progress is complete or absent. */
async function check(call: Call, file: File): Promise<'uploaded' | 'absent'> {
  const { status, bytes } = await call('GET', file.path);
  if (status === 200) {
    expect(file.removal).not.toBe('answered');
    const possible = [...file.sentSince, ...(file.acknowledged ? [file.acknowledged] : [])];
    expect(possible).toContain(hashOf(bytes));
    return 'uploaded';
  }
  expect(status).toBe(404);
  expect(file.acknowledged === undefined || file.removal !== 'none').toBe(true);
  return 'absent';
}

async function filesIn(path: string): Promise<string[]> {
  const found = await readdir(path, { recursive: true, withFileTypes: true });
  return found
    .filter((item) => item.isFile())
    .map((item) => join(item.parentPath, item.name).slice(path.length + 1))
    .toSorted();
}

async function ownedFiles(): Promise<string[]> {
  const rows = await served.db.query<{ object_key: string }>(
    'select object_key from blobs where object_key is not null',
  );
  return rows.map(({ object_key }) => object_key).toSorted();
}

function hashOf(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex');
}
