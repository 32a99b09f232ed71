import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, renameSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { send } from '../testing/http-client.ts';
import type { Sandbox } from '../testing/sandbox.ts';
import { createEmbeddedService } from './embedded-service.ts';
import { recordFigure, seconds } from './figures.ts';
import type { FleetClient } from './fleet-client.ts';
import { figureOf } from './ledger.ts';
import { recovery, slowestAnswerMs, watchAnswers } from './recovery.ts';
import { mountSmallDisk, type SmallDisk } from './tmpfs.ts';

const noMount = 'needs the right to mount a file system of a fixed size, as root has';
const fullMs = 15_000;
const timeout = 1_800_000;

let disk: SmallDisk | undefined;

/** The service whose data folder, or a part of it, is on a disk that can be filled. */
async function serveFrom(place: (sandbox: Sandbox, migrated: string) => string) {
  const embedded = await createEmbeddedService(place);
  onTestFinished(embedded.close);
  return { ...embedded, service: await embedded.start() };
}

function mount(mebibytes: number): string {
  disk = mountSmallDisk(mebibytes);
  onTestFinished(() => disk?.unmount());
  return disk?.folder ?? '';
}

const readVehicle = (client: FleetClient) => async () =>
  (await client.call({ method: 'GET', path: '/DE*ABC*W0' })).status;

function canMount(): boolean {
  const probe = mountSmallDisk(1);
  probe?.unmount();
  return probe !== undefined;
}

test('the disk of the tables is full: reads go on, writes are refused with 503, and both work once there is room', {
  timeout,
}, async ({ skip }) => {
  skip(!canMount(), noMount);
  const { ledger, service } = await serveFrom((sandbox, migrated) => {
    const folder = join(mount(220), 'data');
    execFileSync('cp', ['-a', migrated, folder]);
    // The log of PostgreSQL is apart, as it would stop PostgreSQL itself.
    const wal = join(folder, 'postgres/pg_wal');
    const apart = join(sandbox.folder, 'wal');
    renameSync(join(migrated, 'postgres/pg_wal'), apart);
    execFileSync('rm', ['-r', wal]);
    symlinkSync(apart, wal);
    return folder;
  });
  const client = ledger.connect(service.url);
  const writers = await ledger.startWriters(client);
  await sleep(2_000);
  disk?.fill();
  // Until tables have used up the pages that they have.
  await expect.poll(() => ledger.counts.refused, { timeout: 600_000 }).toBeGreaterThan(0);
  const refused = ledger.counts.refused;
  const reads = await watchAnswers(fullMs, readVehicle(client));
  expect([...reads.statuses.keys()]).toEqual([200]);
  expect(ledger.counts.refused).toBeGreaterThan(refused);
  disk?.makeRoom();
  const pauseMs = await recovery(ledger);
  await writers.stop();
  await ledger.check('new');
  await ledger.sendAgain(client);
  await ledger.check('all');
  recordFigure(
    'disk of the tables full',
    `${reads.of(200)} of ${reads.of(200)} reads answered meanwhile; ${figureOf(ledger.counts)}; all writes resumed after ${seconds(pauseMs)}`,
  );
});

test('the whole data folder is full, the log of PostgreSQL included: every request has its answer, and the service recovers by itself once there is room', {
  timeout,
}, async ({ skip }) => {
  skip(!canMount(), noMount);
  const { ledger, service } = await serveFrom((_, migrated) => {
    const folder = join(mount(260), 'data');
    execFileSync('cp', ['-a', migrated, folder]);
    return folder;
  });
  const client = ledger.connect(service.url);
  const writers = await ledger.startWriters(client);
  await sleep(2_000);
  disk?.fill();
  await expect.poll(() => ledger.counts.refused, { timeout: 600_000 }).toBeGreaterThan(0);
  ledger.resetSlowest();
  const reads = await watchAnswers(fullMs, readVehicle(client));
  expect([200, 503]).toEqual(expect.arrayContaining([...reads.statuses.keys()]));
  expect((await send(service.url, { path: '/health/live' })).status).toBe(200);
  const slowest = Math.max(reads.slowestMs, ledger.counts.slowestMs);
  disk?.makeRoom();
  const pauseMs = await recovery(ledger);
  await writers.stop();
  await ledger.check('new');
  await ledger.sendAgain(client);
  await ledger.check('all');
  recordFigure(
    'data folder full',
    `reads meanwhile: ${reads.of(200)} answered, ${reads.of(503)} refused; slowest answer ${seconds(slowest)}; ${figureOf(ledger.counts)}; writes resumed after ${seconds(pauseMs)}`,
  );
  expect(slowest).toBeLessThan(slowestAnswerMs);
});

test('the disk of files is full: uploads are refused with 503 that says so, everything else works, and uploads work once there is room', {
  timeout,
}, async ({ skip }) => {
  skip(!canMount(), noMount);
  const embedded = await createEmbeddedService();
  const folder = mount(8);
  onTestFinished(embedded.close);
  const service = await embedded.start({ BLOB_URL: `file://${folder}/blobs` });
  const client = embedded.ledger.connect(service.url);
  const files = await announce(client);
  const before = await files.upload(1_000_000);
  expect(before.status).toBe(200);
  disk?.fill();
  const refused = await files.upload(1_000_000);
  expect(refused.status).toBe(503);
  expect(refused.json.detail).toBe(
    'The file storage is full; uploads work again once there is room.',
  );
  expect((await files.download()).bytes).toHaveLength(1_000_000);
  const left = readdirSync(folder, { recursive: true }).filter((name) =>
    /uploading/.test(`${name}`),
  );
  expect(left).toEqual([]);
  disk?.makeRoom();
  expect((await files.upload(2_000_000)).status).toBe(200);
  expect((await files.download()).bytes).toHaveLength(2_000_000);
  recordFigure(
    'disk of files full',
    'refused with 503; what was stored is read meanwhile; no part of a file is left',
  );
});

async function announce(client: FleetClient) {
  await client.call({ method: 'PUT', path: '/DE*ABC*F', body: { information: {} } });
  const entry = { date: '2026-01-01', category: 'other', title: 'with a file' };
  const { json } = await client.call({ method: 'POST', path: '/DE*ABC*F/logbook', body: entry });
  const path = `/DE*ABC*F/blobs/logbook/${json.id}`;
  const { json: file } = await client.call({ method: 'POST', path, body: { filename: 'x' } });
  const own = `${path}/${file.uuid}`;
  return {
    upload: (size: number) =>
      client.call({ method: 'PUT', path: own, body: Buffer.alloc(size, 'x') }),
    download: () => client.call({ method: 'GET', path: own }),
  };
}

test('a backup onto a full disk fails with one sentence, and leaves no file', {
  timeout,
}, async ({ skip }) => {
  skip(!canMount(), noMount);
  const { sandbox, dataDir, service, ledger } = await serveFrom((_, migrated) => migrated);
  const client = ledger.connect(service.url);
  expect(
    (await client.call({ method: 'PUT', path: '/DE*ABC*B', body: { information: {} } })).status,
  ).toBe(201);
  const file = join(mount(1), 'motorpool.backup');
  disk?.fill();
  const { code, stderr } = await sandbox.run(['backup', file], { env: { DATA_DIR: dataDir } });
  expect(code).toBe(1);
  expect(stderr).toMatch(/ENOSPC|no space/i);
  expect(existsSync(file)).toBe(false);
  expect(await readVehicle(client)()).toBe(404);
  recordFigure('backup onto a full disk', 'exits with 1, and no file is left');
});
