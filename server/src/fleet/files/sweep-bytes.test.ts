import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Database } from '../../platform/db/database.ts';
import { makeFleet } from '../../testing/make-fleet.ts';
import { startTestService, type TestService } from '../../testing/test-service.ts';
import {
  announceNew,
  beginUpload,
  storedFiles,
  upload,
  uploadVehicle,
} from '../../testing/uploads.ts';
import { deleteBytes } from './delete-bytes.ts';
import { releaseObjects } from './stored-objects.ts';
import { sweepBytes } from './sweep-bytes.ts';

let service: TestService;

beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());
beforeEach(async () => {
  await makeFleet(service.db, 'DE', 'ABC', 1);
  await service.db.query('delete from blobs');
  await sweep(0);
});

/** Returns the number of released objects, whose bytes are deleted. */
async function sweep(graceMs?: number): Promise<number> {
  const count = await sweepBytes(
    service.dependencies,
    graceMs === undefined ? undefined : { graceMs },
  );
  await service.runJobs();
  return count;
}

/** What a killed upload leaves: recorded in the database, with its bytes or without. */
async function leaveObject(key: string, ageMinutes: number, bytes?: string): Promise<void> {
  await service.db.query(
    `insert into stored_objects (provider, key, created_at)
     values ('DE-ABC', $1, now() - make_interval(mins => $2))`,
    [key, ageMinutes],
  );
  if (bytes !== undefined) await service.blobs.put(key, Readable.from([bytes]));
}

const objects = async () =>
  (await service.db.query<{ key: string }>('select key from stored_objects order by key')).map(
    ({ key }) => key,
  );

test('bytes without an owner are removed once they are older than the grace, an hour', async () => {
  const path = await announceNew(service);
  await upload(service, path, 'owned');
  await service.db.query(`update stored_objects set created_at = now() - interval '1 day'`);
  await leaveObject('DE-ABC/old', 61, 'old');
  await leaveObject('DE-ABC/old-without-bytes', 61);
  await leaveObject('DE-ABC/young', 59, 'young');
  expect(await sweep()).toBe(2);
  expect(await objects()).toEqual([
    expect.stringMatching(/^DE-ABC\/[0-9a-f]{2}\/[0-9a-f-]{36}$/),
    'DE-ABC/young',
  ]);
  expect(await storedFiles(service)).toHaveLength(2);
  expect((await service.call('GET', path)).text).toBe('owned');
  expect(await sweep(0)).toBe(1);
  expect((await service.call('GET', path)).text).toBe('owned');
});

test('the files of a deleted vehicle are removed', async () => {
  for (const owner of ['logbook', 'incidents', 'checklist'] as const) {
    await upload(service, await announceNew(service, { filename: 'x' }, owner), 'x');
  }
  expect((await service.call('DELETE', `/${uploadVehicle}`)).status).toBe(204);
  expect(await storedFiles(service)).toHaveLength(3);
  expect(await sweep(0)).toBe(3);
  expect(await storedFiles(service)).toEqual([]);
});

test('however many objects there are, all are looked at', async () => {
  await service.db.query(
    `insert into stored_objects (provider, key) select 'DE-ABC', 'DE-ABC/' || n from generate_series(1, 2500) n`,
  );
  for (const key of ['DE-ABC/0', 'DE-ABC/1999x', 'DE-ABC/zzz']) await leaveObject(key, 61);
  expect(await sweep()).toBe(3);
  await service.db.query('delete from stored_objects');
});

test('several processes at once release each once', async () => {
  for (let index = 0; index < 40; index++) await leaveObject(`DE-ABC/left-${index}`, 61, 'x');
  const counts = await Promise.all(
    Array.from({ length: 4 }, () => sweepBytes(service.dependencies)),
  );
  expect(counts.reduce((sum, count) => sum + count, 0)).toBe(40);
  const deletions = Array.from({ length: 4 }, () => deleteBytes(service, 'DE-ABC'));
  expect((await Promise.all(deletions)).flat()).toEqual([]);
  expect(await objects()).toEqual([]);
  expect(await storedFiles(service)).toEqual([]);
});

test('what cannot be deleted is told, stays known, and stops nothing else', async () => {
  for (const key of ['DE-ABC/a', 'DE-ABC/b', 'DE-ABC/c']) await leaveObject(key, 61, 'x');
  const fault = new Error('read-only');
  const stubborn = {
    ...service.blobs,
    delete: async (key: string) => {
      if (key === 'DE-ABC/b') throw fault;
      await service.blobs.delete(key);
    },
  };
  await sweepBytes(service.dependencies);
  expect(await deleteBytes({ db: service.db, blobs: stubborn }, 'DE-ABC')).toEqual([fault]);
  expect(await objects()).toEqual(['DE-ABC/b']);
  // The job that was to delete it has failed for good.
  await service.owner.query('delete from pgboss.job');
  expect(await sweep()).toBe(0);
  expect(await objects()).toEqual(['DE-ABC/b']);
  expect(await sweep(0)).toBe(0);
  expect(await objects()).toEqual([]);
  expect(await storedFiles(service)).toEqual([]);
});

test('a provider whose objects cannot be released keeps nobody else’s from it', async () => {
  for (const provider of ['DE-ABC', 'FR-XYZ'])
    await service.db.query(
      `insert into stored_objects (provider, key, created_at) values ($1, $1 || '/left', now() - interval '61 minutes')`,
      [provider],
    );
  const { db } = service;
  const refusing: Database = {
    ...db,
    async query(text, values, budget) {
      if (values?.[0] === 'DE-ABC') await db.query("do $$ begin raise exception 'refused'; end $$");
      return db.query(text, values, budget);
    },
  };
  await expect(sweepBytes({ ...service.dependencies, db: refusing })).rejects.toMatchObject({
    message: 'Some bytes could not be swept.',
    errors: [expect.objectContaining({ message: 'refused' })],
  });
  await service.runJobs();
  expect(await objects()).toEqual(['DE-ABC/left']);
});

test('of many that cannot be deleted, each is tried and a few are told, as the log and the queue keep them', async () => {
  const keys = Array.from({ length: 30 }, (_, index) => `DE-ABC/key-${index}`);
  for (const key of keys) await leaveObject(key, 61);
  await sweepBytes(service.dependencies);
  const tried: string[] = [];
  const down = {
    ...service.blobs,
    delete: async (key: string) => {
      tried.push(key);
      throw new Error('down');
    },
  };
  expect(await deleteBytes({ db: service.db, blobs: down }, 'DE-ABC')).toHaveLength(10);
  expect(tried.toSorted()).toEqual(keys.toSorted());
});

test('an object that a file references is never released', async () => {
  const path = await announceNew(service);
  await upload(service, path, 'owned');
  const [key = ''] = await objects();
  const release = () => releaseObjects(service.db, service.dependencies, 'DE-ABC', [key]);
  expect(await release()).toBe(0);
  await service.runJobs();
  expect(String(await buffer(await service.blobs.get(key)))).toBe('owned');
});

test('an upload that took so long that the sweep may be at its bytes is given up', async () => {
  const path = await announceNew(service);
  const { write, ended } = await beginUpload(
    service,
    path,
    'Content-Length: 2',
    'Connection: close',
  );
  await write('a');
  while ((await objects()).length === 0) await sleep(5);
  await service.db.query(`update stored_objects set created_at = now() - interval '31 minutes'`);
  await write('b');
  expect(await ended).toMatch(/^HTTP\/1\.1 503 /);
  expect((await service.call('GET', path)).status).toBe(404);
  await service.runJobs();
  expect(await objects()).toEqual([]);
});

test('an upload whose bytes were swept under it is told so, and no record says otherwise', async () => {
  const path = await announceNew(service);
  const { write, ended } = await beginUpload(
    service,
    path,
    'Content-Length: 2',
    'Connection: close',
  );
  await write('a');
  while ((await storedFiles(service)).length === 0) await sleep(5);
  expect(await sweep(0)).toBe(1);
  await write('b');
  expect(await ended).toMatch(/^HTTP\/1\.1 503 /);
  expect((await service.call('GET', path)).status).toBe(404);
  expect(await storedFiles(service)).toEqual([]);
});
