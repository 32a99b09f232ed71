import { createHash, randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Answer } from '../../testing/http-client.ts';
import { makeEntry } from '../../testing/make-entries.ts';
import { makeFleet } from '../../testing/make-fleet.ts';
import { startTestService, type TestService } from '../../testing/test-service.ts';
import { storedFiles } from '../../testing/uploads.ts';
import { modules } from '../index.ts';

let service: TestService;
const vehicle = 'DE*ABC*T0000';
const neighbour = 'DE*ABC*T0007';
const unknown = '00000000-0000-4000-8000-00000000000f';

beforeAll(async () => {
  service = await startTestService();
  await makeFleet(service.db, 'DE', 'ABC', 3);
  await makeFleet(service.db, 'FR', 'XYZ', 1);
});
afterAll(() => service.stop());

async function put(path: string, body: Buffer | string, headers = {}): Promise<Answer> {
  return service.send({
    method: 'PUT',
    path: `/api/fleets/v1/DE/ABC${path}`,
    headers: { authorization: `Bearer ${await service.token()}`, ...headers },
    body,
  });
}

const fileOwners = modules.flatMap(({ files }) => files ?? []);

describe.each(fileOwners)('a file of $noun', (owner) => {
  const { table, ofProvider } = owner;
  const word = owner.segment;
  const base = ofProvider ? '' : `/${vehicle}`;

  async function announce(body: object = { filename: 'invoice.pdf' }) {
    const entryId = await makeEntry(service, word, vehicle);
    const entry = `${base}/blobs/${word}/${entryId}`;
    const answer = await service.call('POST', entry, body);
    return { ...answer, entryId, entry, path: `${entry}/${answer.json.uuid}` };
  }

  test('is announced (201, Location), uploaded (200), downloaded, removed (204), and then gone (404)', async () => {
    const announced = await announce({ filename: 'a photo.png', contentType: 'image/png' });
    const { path, json, headers } = announced;
    expect(announced.status).toBe(201);
    expect(json).toEqual({
      uuid: expect.stringMatching(/^[0-9a-f-]{36}$/),
      filename: 'a photo.png',
      uploaded: false,
    });
    expect(decodeURIComponent(String(headers.location))).toBe(`/api/fleets/v1/DE/ABC${path}`);
    expect((await service.call('GET', path)).status).toBe(404);

    const bytes = randomBytes(200_000);
    const uploaded = await put(path, bytes);
    expect([uploaded.status, uploaded.json]).toEqual([200, { ...json, uploaded: true }]);

    const downloaded = await service.call('GET', path);
    expect(downloaded.status).toBe(200);
    expect(hashOf(downloaded.bytes)).toBe(hashOf(bytes));
    expect(downloaded.headers).toMatchObject({
      'content-type': 'image/png',
      'content-length': '200000',
    });

    expect((await service.call('DELETE', path)).status).toBe(204);
    expect((await service.call('DELETE', path)).status).toBe(404);
    expect((await service.call('GET', path)).status).toBe(404);
    expect((await put(path, 'x')).status).toBe(404);
    expect(await storedFiles(service)).toEqual([]);
    expect(await service.db.query('select * from stored_objects')).toEqual([]);
  });

  test('is listed in its entry as announced, then as uploaded', async () => {
    const { path, entryId, json } = await announce();
    const entry = `${base}/${word}/${entryId}`;
    expect((await service.call('GET', entry)).json.blobs).toEqual([json]);
    await put(path, 'x');
    expect((await service.call('GET', entry)).json.blobs).toEqual([{ ...json, uploaded: true }]);
    await service.call('DELETE', path);
    expect((await service.call('GET', entry)).json.blobs ?? []).toEqual([]);
  });

  test('goes with its entry, and its bytes too', async () => {
    const { path, entryId } = await announce();
    await put(path, 'x');
    expect(await storedFiles(service)).toHaveLength(1);
    expect((await service.call('DELETE', `${base}/${word}/${entryId}`)).status).toBe(204);
    expect((await service.call('GET', path)).status).toBe(404);
    expect(await storedFiles(service)).toEqual([]);
  });

  test('is 404 under another entry, vehicle, owner or provider, and under what is no UUID', async () => {
    const { path, entryId, json } = await announce();
    await put(path, 'x');
    const other = await makeEntry(service, word, vehicle);
    const elsewhere = await makeEntry(service, word, neighbour);
    const abroad = await makeEntry(service, word, 'FR*XYZ*T0000');
    const otherWord = word === 'logbook' ? 'incidents' : 'logbook';
    const underVehicles = [
      `/${neighbour}/blobs/${word}/${entryId}/${json.uuid}`,
      `/${neighbour}/blobs/${word}/${elsewhere}/${json.uuid}`,
      `/FR*XYZ*T0000/blobs/${word}/${abroad}/${json.uuid}`,
    ];
    for (const wrong of [
      ...(ofProvider ? [`/blobs/${word}/${abroad}/${json.uuid}`] : underVehicles),
      `${base}/blobs/${word}/${other}/${json.uuid}`,
      `/${vehicle}/blobs/${otherWord}/${entryId}/${json.uuid}`,
      `${base}/blobs/${word}/${entryId}/${unknown}`,
      `${base}/blobs/${word}/${entryId}/1`,
      `${base}/blobs/${word}/1/${json.uuid}`,
      `${base}/blobs/${word}/${entryId}/%7B${json.uuid}%7D`,
    ]) {
      expect((await service.call('GET', wrong)).status, wrong).toBe(404);
      expect((await service.call('HEAD', wrong)).status, wrong).toBe(404);
      expect((await service.call('DELETE', wrong)).status, wrong).toBe(404);
      expect((await put(wrong, 'x')).status, wrong).toBe(404);
    }
    const ofVehicles = [
      `/${neighbour}/blobs/${word}/${entryId}`,
      `/FR*XYZ*T0000/blobs/${word}/${abroad}`,
      `/DE*ABC*nowhere/blobs/${word}/${entryId}`,
    ];
    for (const wrong of [
      ...(ofProvider ? [`/blobs/${word}/${abroad}`] : ofVehicles),
      `${base}/blobs/${word}/${unknown}`,
      `${base}/blobs/${word}/1`,
      `/${vehicle}/blobs/${otherWord}/${entryId}`,
    ]) {
      expect((await service.call('POST', wrong, { filename: 'x' })).status, wrong).toBe(404);
    }
    expect(
      (await service.call('GET', path.toUpperCase().replace(/BLOBS\/\w+/, `blobs/${word}`))).status,
    ).toBe(200);
    await service.call('DELETE', path);
  });

  test('announced while its entry is deleted is announced or 404, and none outlives it', async () => {
    const entryId = await makeEntry(service, word, vehicle);
    const announcing = () =>
      service.call('POST', `${base}/blobs/${word}/${entryId}`, { filename: 'x' });
    const answers = await Promise.all([
      ...Array.from({ length: 10 }, announcing),
      service.call('DELETE', `${base}/${word}/${entryId}`),
      ...Array.from({ length: 10 }, announcing),
    ]);
    expect(answers.every(({ status }) => [201, 204, 404].includes(status))).toBe(true);
    const left = await service.db.query('select 1 from blobs where entry_id = $1', [entryId]);
    expect(left).toEqual([]);
    expect(
      await service.db.queryUnprepared(`select 1 from ${table} where id = $1`, [entryId]),
    ).toEqual([]);
  });
});

test('a file announced while its vehicle is deleted is announced or 404, and none outlives it', async () => {
  const { db } = service;
  const doomed = 'DE*ABC*T0014';
  const entryId = await makeEntry(service, 'logbook', doomed);
  const answers = await Promise.all([
    ...Array.from({ length: 10 }, () =>
      service.call('POST', `/${doomed}/blobs/logbook/${entryId}`, { filename: 'x' }),
    ),
    service.call('DELETE', `/${doomed}`),
    ...Array.from({ length: 10 }, () =>
      service.call('POST', `/${doomed}/blobs/logbook/${entryId}`, { filename: 'x' }),
    ),
  ]);
  expect(answers.every(({ status }) => [201, 204, 404].includes(status))).toBe(true);
  expect(await db.query('select 1 from blobs where vehicle_id = $1', [doomed])).toEqual([]);
});

test('an announcement says what is wrong with it', async () => {
  const entry = `/${vehicle}/blobs/logbook/${await makeEntry(service, 'logbook', vehicle)}`;
  const filename = 'x';
  for (const [body, pointer] of [
    [{}, '/filename'],
    [{ filename: '' }, '/filename'],
    [{ filename: 'x'.repeat(201) }, '/filename'],
    [{ filename: 'a\r\nSet-Cookie: b' }, '/filename'],
    [{ filename: 'a\tb' }, '/filename'],
    [{ filename: 'a\u0085b' }, '/filename'],
    [{ filename: 7 }, '/filename'],
    [{ filename, contentType: '' }, '/contentType'],
    [{ filename, contentType: 'text' }, '/contentType'],
    [{ filename, contentType: 'text/' }, '/contentType'],
    [{ filename, contentType: 'text/html\r\nx: y' }, '/contentType'],
    [{ filename, contentType: 'text/html\n' }, '/contentType'],
    [{ filename, contentType: 'text/html; charset=utf-8; x=y' }, '/contentType'],
    [{ filename, contentType: 'text/html, text/plain' }, '/contentType'],
    [{ filename, contentType: 'a/*' }, '/contentType'],
    [{ filename, contentType: `a/${'x'.repeat(100)}` }, '/contentType'],
    [{ filename, size: 1 }, '/size'],
  ] as const) {
    const { status, json } = await service.call('POST', entry, body);
    expect(status, JSON.stringify(body)).toBe(400);
    expect(json.errors[0].pointer).toBe(pointer);
  }
  const read = { uuid: unknown, filename, uploaded: true };
  const { status, json } = await service.call('POST', entry, read);
  expect([status, json.uploaded, json.uuid === unknown]).toEqual([201, false, false]);
});

function hashOf(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex');
}
