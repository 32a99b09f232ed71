import { randomUUID } from 'node:crypto';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Queryable } from '../../platform/db/database.ts';
import { makeFleet } from '../../testing/make-fleet.ts';
import { startTestService, type TestService } from '../../testing/test-service.ts';
import { deleteReleasedBytes } from '../../testing/uploads.ts';
import { findIncidents } from './find-incidents.ts';
import { exampleRequest } from './incident.ts';
import { listIncidents } from './list-incidents.ts';

let service: TestService;
const provider = { id: 'DE-ABC', countryCode: 'DE', code: 'ABC' };
const vehicle = 'DE*ABC*T0000';
const required = { title: 'Hail', vehicleOperable: true, isResolved: false };
const damage = {
  title: 'Dent',
  damageType: 'dent',
  severity: 'light',
  repaired: false,
  position: 'antenna',
};

beforeAll(async () => {
  service = await startTestService();
  await makeFleet(service.db, 'DE', 'ABC', 9);
});
afterAll(() => service.stop());

async function report(body: object = required, at = vehicle) {
  const answer = await service.call('POST', `/${at}/incidents`, body);
  expect(answer.status).toBe(201);
  return { ...answer, id: answer.json.id, path: `/${at}/incidents/${answer.json.id}` };
}

describe('createIncident', () => {
  test('answers 201 with the incident, its place and its ETag', async () => {
    const before = Date.now();
    const { json, headers, path, id } = await report(exampleRequest);
    expect(json).toEqual({
      ...exampleRequest,
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      ocrStatus: 'NOT_STARTED',
      reportTimestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    });
    const reported = Date.parse(json.reportTimestamp);
    expect(reported).toBeGreaterThanOrEqual(before);
    expect(reported).toBeLessThanOrEqual(Date.now());
    expect(headers.location).toBe(`/api/fleets/v1/DE/ABC/${vehicle}/incidents/${id}`);
    const read = await service.call('GET', path);
    expect(read.json).toEqual(json);
    expect(read.headers.etag).toBe(headers.etag);
  });

  test('takes what is required alone, and ignores what only we can say', async () => {
    const { json } = await report({
      ...required,
      id: randomUUID(),
      ocrStatus: 'PROCESSED',
      reportTimestamp: '2001-01-01T00:00:00Z',
    });
    expect(json).toMatchObject({ ...required, ocrStatus: 'NOT_STARTED' });
    expect(json.reportTimestamp > '2020').toBe(true);
    expect(Object.keys(json)).toHaveLength(6);
  });

  test('refuses a faulty body by the rules of the update, and an unknown vehicle', async () => {
    const faulty = { ...required, damages: [{ ...damage, position: 'nowhere' }] };
    const { status, json } = await service.call('POST', `/${vehicle}/incidents`, faulty);
    expect(status).toBe(400);
    expect(json.errors[0].pointer).toBe('/damages/0/position');
    expect((await service.call('POST', '/DE*ABC*nowhere/incidents', required)).status).toBe(404);
  });

  test('beside the deletion of its vehicle it is 201 or 404', async () => {
    const at = 'DE*ABC*T0056';
    const creations = Array.from({ length: 20 }, () =>
      service.call('POST', `/${at}/incidents`, exampleRequest),
    );
    const deletion = service.call('DELETE', `/${at}`);
    const statuses = (await Promise.all(creations)).map(({ status }) => status);
    expect((await deletion).status).toBe(204);
    expect(statuses.every((status) => status === 201 || status === 404)).toBe(true);
    const left = await service.db.query('select 1 from incidents where vehicle_id = $1', [at]);
    expect(left).toEqual([]);
  });
});

describe('listIncidents', () => {
  const at = 'DE*ABC*T0007';
  const list = (query = '') => service.call('GET', `/${at}/incidents?${query}`);
  const find = (body: object) => service.call('POST', `/${at}/incidents/search`, body);
  const titles = (json: { items: { title: string }[] }) => json.items.map(({ title }) => title);

  beforeAll(async () => {
    await report({ ...required, title: 'Of another vehicle' });
    for (const [index, title] of ['first', 'second', 'third'].entries()) {
      const damages = [{ ...damage, severity: ['light', 'moderate', 'high'][index] }];
      const { id } = await report({ ...required, title, damages }, at);
      await service.db.query('update incidents set report_timestamp = $2 where id = $1', [
        id,
        `2026-01-0${index + 1}T00:00:00Z`,
      ]);
    }
  });

  test('has the vehicle’s incidents alone, newest report first, in pages', async () => {
    const { json } = await list();
    expect(titles(json)).toEqual(['third', 'second', 'first']);
    expect(json.pagination).toEqual({ pageNumber: 0, pageSize: 100, totalEntries: 3 });
    expect(json.items[0].damages).toEqual([{ ...damage, severity: 'high' }]);
    const second = await list('pageNumber=1&pageSize=2');
    expect(titles(second.json)).toEqual(['first']);
    expect(second.json.pagination.totalEntries).toBe(3);
  });

  test('takes plain parameters, and its search filters and sorting', async () => {
    const { json } = await find({
      filters: [{ field: 'damages.severity', operator: 'in', value: ['light', 'high'] }],
      sorting: [{ field: 'title' }],
    });
    expect(titles(json)).toEqual(['first', 'third']);
    expect(titles((await find({ filters: [{ value: 'SECON' }] })).json)).toEqual(['second']);
    expect((await list('isResolved=true')).json.items).toEqual([]);
    expect(titles((await list('isResolved=false&pageSize=1')).json)).toEqual(['third']);
  });

  test('is empty for a vehicle without one, 404 for none, 400 before 404 for a query that is not valid', async () => {
    const none = await service.call('GET', '/DE*ABC*T0014/incidents');
    expect(none.json).toEqual({
      items: [],
      pagination: { pageNumber: 0, pageSize: 100, totalEntries: 0 },
    });
    expect((await service.call('GET', '/DE*ABC*nowhere/incidents')).status).toBe(404);
    const { status, json } = await service.call('POST', '/DE*ABC*nowhere/incidents/search', {
      filters: [{ field: 'nope', value: 1 }, {}],
      sorting: [{ field: 'damages' }],
      pagination: { pageSize: 0 },
    });
    expect(status).toBe(400);
    expect(json.errors.map(({ pointer }: { pointer: string }) => pointer)).toEqual([
      '/filters/1/value',
      '/pagination/pageSize',
      '/filters/0/field',
      '/sorting/0/field',
    ]);
    expect(json.errors[2].detail).toContain('damages.position');
    expect((await find({ filters: [{ field: 'vehicleId', value: at }] })).status).toBe(400);
  });

  test('a page of many asks the database no more often than a page of one', async () => {
    for (const operation of [listIncidents, findIncidents]) {
      const counts = [];
      for (const pageSize of [1, 3]) {
        let statements = 0;
        const counted = (db: Queryable): Queryable => ({
          ...db,
          query(text, values) {
            statements++;
            return db.query(text, values);
          },
          queryUnprepared(text, values) {
            statements++;
            return db.queryUnprepared(text, values);
          },
        });
        const db = {
          ...service.db,
          ...counted(service.db),
          transaction: <Result>(work: (tx: Queryable) => Promise<Result>) =>
            service.db.transaction((tx) => work(counted(tx))),
        };
        const request = { text: '', filters: [], sorting: [], page: { pageNumber: 0, pageSize } };
        const { body } = await operation.handler(
          {
            provider,
            isAuthorized: async () => true,
            stillAuthorized() {},
            caller: () => {
              throw new Error('a read needs no caller');
            },
            parameters: { vehicleId: at },
            query: request,
            header: () => undefined,
            body: request,
            messages: [],
            keepAnswer: async () => {},
            bytes: Readable.from([]),
          },
          { ...service.dependencies, db },
        );
        expect((body as { items: unknown[] }).items).toHaveLength(pageSize);
        counts.push(statements);
      }
      expect(counts[0]).toBeGreaterThan(0);
      expect(counts[1]).toBe(counts[0]);
    }
  });
});

describe('deleteIncident', () => {
  test('answers 204, then 404', async () => {
    const { path } = await report(exampleRequest);
    const deleted = await service.call('DELETE', path);
    expect([deleted.status, deleted.text]).toEqual([204, '']);
    expect((await service.call('DELETE', path)).status).toBe(404);
    expect((await service.call('GET', path)).status).toBe(404);
    expect((await service.call('PUT', path, required)).status).toBe(404);
  });

  test('honours If-Match', async () => {
    const { path, headers } = await report();
    expect((await service.call('DELETE', path, undefined, { 'if-match': '"7"' })).status).toBe(412);
    expect((await service.call('GET', path)).status).toBe(200);
    const ifMatch = { 'if-match': String(headers.etag) };
    expect((await service.call('DELETE', path, undefined, ifMatch)).status).toBe(204);
  });

  test('takes the files with it, records and bytes, and no one else’s', async () => {
    const { blobs, blobFolder } = service;
    const attach = async (incidentId: string) => {
      const key = `DE-ABC/${randomUUID()}`;
      await blobs.put(key, Readable.from(['bytes']));
      await service.db.query(`insert into stored_objects (provider, key) values ('DE-ABC', $1)`, [
        key,
      ]);
      await service.db.query(
        `insert into blobs
           (provider, vehicle_id, owner, entry_id, filename, content_type, created_at, object_key, size, uploaded_at)
         values ('DE-ABC', $1, 'incidents', $2, 'door.jpg', 'image/jpeg', now(), $3, 5, now())`,
        [vehicle, incidentId, key],
      );
      return key;
    };
    const [going, staying] = [await report(), await report()];
    const keys = [await attach(going.id), await attach(going.id), await attach(staying.id)];
    const { json } = await service.call('GET', going.path);
    expect(json.blobs).toHaveLength(2);
    expect(json.blobs[0]).toMatchObject({ filename: 'door.jpg', uploaded: true });

    await service.call('DELETE', going.path);
    const records = await service.db.query<{ entry_id: string }>('select entry_id from blobs');
    expect(records).toEqual([{ entry_id: staying.id }]);
    await deleteReleasedBytes(service);
    const objects = await service.db.query('select key from stored_objects');
    expect(objects).toEqual([{ key: keys[2] }]);
    for (const key of keys.slice(0, 2)) {
      await expect(stat(join(blobFolder, key))).rejects.toThrow('ENOENT');
    }
    await service.call('DELETE', staying.path);
  });

  test('beside updates, every answer is a success or 404', async () => {
    const { path } = await report(exampleRequest);
    const calls = Array.from({ length: 30 }, (_, index) =>
      index % 10 === 5 ? service.call('DELETE', path) : service.call('PUT', path, exampleRequest),
    );
    const statuses = (await Promise.all(calls)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 204)).toHaveLength(1);
    expect(statuses.every((status) => [200, 204, 404].includes(status))).toBe(true);
  });
});
