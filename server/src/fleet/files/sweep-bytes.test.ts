import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { makeFleet } from '../../testing/make-fleet.ts';
import { startTestService, type TestService } from '../../testing/test-service.ts';
import {
  announceNew,
  beginUpload,
  storedFiles,
  upload,
  uploadVehicle,
} from '../../testing/uploads.ts';
import { deleteStoredObject } from './stored-objects.ts';
import { sweepBytes } from './sweep-bytes.ts';

let service: TestService;

beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());
beforeEach(async () => {
  await makeFleet(service.db, 'DE', 'ABC', 1);
  await service.db.query('delete from blobs');
  await sweepBytes(service, { graceMs: 0 });
});

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
  expect(await sweepBytes(service)).toEqual({ removed: 2, errors: [] });
  expect(await objects()).toEqual([
    expect.stringMatching(/^DE-ABC\/[0-9a-f]{2}\/[0-9a-f-]{36}$/),
    'DE-ABC/young',
  ]);
  expect(await storedFiles(service)).toHaveLength(2);
  expect((await service.call('GET', path)).text).toBe('owned');
  expect(await sweepBytes(service, { graceMs: 0 })).toEqual({ removed: 1, errors: [] });
  expect((await service.call('GET', path)).text).toBe('owned');
});

test('the files of a deleted vehicle are removed', async () => {
  for (const owner of ['logbook', 'incidents', 'checklist'] as const) {
    await upload(service, await announceNew(service, { filename: 'x' }, owner), 'x');
  }
  expect((await service.call('DELETE', `/${uploadVehicle}`)).status).toBe(204);
  expect(await storedFiles(service)).toHaveLength(3);
  expect(await sweepBytes(service, { graceMs: 0 })).toEqual({ removed: 3, errors: [] });
  expect(await storedFiles(service)).toEqual([]);
});

test('however many objects there are, all are looked at', async () => {
  await service.db.query(
    `insert into stored_objects (provider, key) select 'DE-ABC', 'DE-ABC/' || n from generate_series(1, 2500) n`,
  );
  for (const key of ['DE-ABC/0', 'DE-ABC/1999x', 'DE-ABC/zzz']) await leaveObject(key, 61);
  expect(await sweepBytes(service)).toEqual({ removed: 3, errors: [] });
  await service.db.query('delete from stored_objects');
});

test('several processes at once remove each once', async () => {
  for (let index = 0; index < 40; index++) await leaveObject(`DE-ABC/left-${index}`, 61, 'x');
  const sweeps = await Promise.all(Array.from({ length: 4 }, () => sweepBytes(service)));
  expect(sweeps.reduce((sum, { removed }) => sum + removed, 0)).toBe(40);
  expect(sweeps.flatMap(({ errors }) => errors)).toEqual([]);
  expect(await objects()).toEqual([]);
  expect(await storedFiles(service)).toEqual([]);
});

test('what cannot be removed is told, stays known, and stops nothing else', async () => {
  for (const key of ['DE-ABC/a', 'DE-ABC/b', 'DE-ABC/c']) await leaveObject(key, 61, 'x');
  const fault = new Error('read-only');
  const stubborn = {
    ...service.blobs,
    delete: async (key: string) => {
      if (key === 'DE-ABC/b') throw fault;
      await service.blobs.delete(key);
    },
  };
  const { db } = service;
  expect(await sweepBytes({ db, blobs: stubborn })).toEqual({ removed: 2, errors: [fault] });
  expect(await objects()).toEqual(['DE-ABC/b']);
  expect(await sweepBytes(service)).toEqual({ removed: 1, errors: [] });
  expect(await storedFiles(service)).toEqual([]);
});

test('an object that a file references is never deleted', async () => {
  const path = await announceNew(service);
  await upload(service, path, 'owned');
  const [key = ''] = await objects();
  await expect(deleteStoredObject(service, 'DE-ABC', key)).rejects.toThrow('foreign key');
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
  expect(await sweepBytes(service, { graceMs: 0 })).toEqual({ removed: 1, errors: [] });
  await write('b');
  expect(await ended).toMatch(/^HTTP\/1\.1 503 /);
  expect((await service.call('GET', path)).status).toBe(404);
  expect(await storedFiles(service)).toEqual([]);
});
