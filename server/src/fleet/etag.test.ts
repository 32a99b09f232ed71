import { setTimeout } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { problemType } from '../testing/problem-type.ts';
import { startTestService, type TestService } from '../testing/test-service.ts';
import { operations } from './index.ts';

/** What ETag, If-Match and If-None-Match promise, for everything that can be read and overwritten. */

type Resource = {
  /** The path of the operations on one. */
  pattern: string;
  /** Creates one, and answers its path. */
  create(): Promise<string>;
  /** What a writer puts there; another for each. */
  body(writer: number): object;
  /** A path at which there is none yet, where PUT creates. */
  free?(): string;
};

let service: TestService;
const vehicle = vehicleId(0);
let made = 0;

beforeAll(async () => {
  service = await startTestService();
  for (let number = 0; number < 20; number++) await putVehicle(vehicleId(number));
});
afterAll(() => service.stop());

function vehicleId(number: number): string {
  return `DE*ABC*E${number}`;
}
async function putVehicle(id: string): Promise<string> {
  const { status } = await service.call('PUT', `/${id}`, { information: { vendor: 'VW' } });
  expect(status).toBe(201);
  return `/${id}`;
}
async function post(path: string, body: object): Promise<string> {
  const { status, json, headers } = await service.call('POST', path, body);
  expect(status).toBe(201);
  const read = await service.call('GET', `${path}/${json.id}`);
  expect(versionOf(headers.etag)).toBe(versionOf(read.headers.etag));
  // An answer that also has a secret is another representation.
  expect(headers.etag === read.headers.etag).toBe(isDeepStrictEqual(json, read.json));
  return `${path}/${json.id}`;
}
function versionOf(etag: unknown): string | undefined {
  return /^"(\d+)\.[\w-]+"$/.exec(String(etag))?.[1];
}
async function put(path: string, body: object): Promise<string> {
  const { status, headers } = await service.call('PUT', path, body);
  expect(status).toBe(201);
  expect(headers.etag).toBe((await service.call('GET', path)).headers.etag);
  return path;
}

const newVehicle = () => `/DE*ABC*M${++made}`;
const newSession = () => `/${vehicle}/charging/CDR-${++made}`;
const newPairing = () => `/databoxes/BX-${++made}`;
const viewed = (writer: number) => ({ name: `Writer ${writer} ${++made}`, searchText: 'golf' });
const entry = (writer: number) => ({ title: `Writer ${writer}`, type: 'check' });
const logged = (writer: number) => ({ date: '2026-10-28', title: `Writer ${writer}` });
const reported = (writer: number) => ({
  title: `Writer ${writer}`,
  vehicleOperable: true,
  isResolved: false,
});
const planned = (writer: number) => ({ title: `Writer ${writer}`, intervalMonths: 12 });
const template = (writer: number) => ({ name: `Writer ${writer} ${++made}`, entries: [entry(0)] });
const administered = (writer: number) => ({ name: `Writer ${writer}`, role: 'viewer' });
const drafted = (writer: number) => ({ status: 'draft', note: `Writer ${writer}` });
const subscribed = (writer: number) => ({ url: `https://example.com/${writer}` });
const charged = (writer: number) => ({ fromDatetime: '2026-01-01T10:00:00Z', fromSoC: writer });

const resources: Resource[] = [
  {
    pattern: '/profile',
    create: async () => '/profile',
    body: (writer) => ({ name: `Writer ${writer}` }),
  },
  {
    pattern: '/{vehicleId}',
    create: () => putVehicle(newVehicle().slice(1)),
    body: (writer) => ({ information: { vendor: `Writer ${writer}` } }),
    free: newVehicle,
  },
  {
    pattern: '/{vehicleId}/charging/{sessionId}',
    create: () => put(newSession(), charged(50)),
    body: charged,
    free: newSession,
  },
  {
    pattern: '/databoxes/{serial}',
    create: async () => {
      // A vehicle has at most one box.
      await service.db.query('delete from databoxes');
      return put(newPairing(), { vehicleId: vehicle });
    },
    body: (writer) => ({ vehicleId: vehicleId(writer) }),
    free: newPairing,
  },
  {
    pattern: '/{vehicleId}/maintenance/{reportId}',
    create: () => post(`/${vehicle}/maintenance`, planned(50)),
    body: planned,
  },
  {
    pattern: '/maintenance-schedules/{scheduleId}',
    create: () => post('/maintenance-schedules', planned(50)),
    body: planned,
  },
  {
    pattern: '/{vehicleId}/logbook/{logbookEntryId}',
    create: () => post(`/${vehicle}/logbook`, logged(50)),
    body: logged,
  },
  {
    pattern: '/{vehicleId}/checklist/{checklistEntryId}',
    create: () => post(`/${vehicle}/checklist`, entry(50)),
    body: entry,
  },
  {
    pattern: '/checklist-templates/{templateId}',
    create: () => post('/checklist-templates', template(50)),
    body: template,
  },
  {
    pattern: '/{vehicleId}/inspection',
    create: async () => `${await putVehicle(newVehicle().slice(1))}/inspection`,
    body: (writer) => ({ lastInspectionDate: `2025-01-${10 + writer}` }),
  },
  {
    pattern: '/{vehicleId}/incidents/{incidentId}',
    create: () => post(`/${vehicle}/incidents`, reported(50)),
    body: reported,
  },
  {
    pattern: '/invoices/{invoiceId}',
    create: () => post('/invoices', drafted(50)),
    body: drafted,
  },
  {
    pattern: '/saved-views/{viewId}',
    create: () => post('/saved-views', viewed(50)),
    body: viewed,
  },
  {
    pattern: '/webhooks/{webhookId}',
    create: () => post('/webhooks', subscribed(50)),
    body: subscribed,
  },
  {
    pattern: '/administration/clients/{clientId}',
    create: () => post('/administration/clients', administered(50)),
    body: administered,
  },
  {
    pattern: '/administration/users/{userId}',
    create: () => post('/administration/users', { username: `user${++made}`, ...administered(50) }),
    body: administered,
  },
];

const operationAt = (pattern: string, method: string) =>
  operations.find((one) => one.path === pattern && one.method === method);

test('they are all that can be read and overwritten', () => {
  const overwritable = operations
    .filter(({ method, upload, path, id }) => {
      // A message is merged with what is known, and overwrites nothing.
      const isOther = ['addDriver', 'putVehicleStatus'].includes(id);
      return method === 'PUT' && !upload && !isOther && operationAt(path, 'GET');
    })
    .map(({ path }) => path);
  expect(resources.map(({ pattern }) => pattern).sort()).toEqual(overwritable.sort());
});

describe.each(resources)('$pattern', ({ pattern, create, body, free }) => {
  const read = (path: string) => service.call('GET', path);
  const write = (path: string, writer: number, ifMatch?: string) =>
    service.call('PUT', path, body(writer), ifMatch === undefined ? {} : { 'if-match': ifMatch });
  const etagAt = async (path: string) => String((await read(path)).headers.etag);
  const stale = async (path: string) => {
    const before = await etagAt(path);
    await write(path, 1);
    const etag = await etagAt(path);
    return [before, `W/${etag}`, etag.replaceAll('"', ''), `"x${etag.slice(1)}`, '"999"', ''];
  };
  const deletes = operationAt(pattern, 'DELETE') !== undefined;

  test('the document names the headers and the refusal', () => {
    for (const method of ['GET', 'PUT', 'DELETE']) {
      const { requestHeaders, responses = {}, problems } = operationAt(pattern, method) ?? {};
      for (const [status, { headers }] of Object.entries(responses)) {
        if (status !== '204') expect(headers, method).toHaveProperty('ETag');
      }
      if (method === 'GET' || (method === 'DELETE' && !deletes)) continue;
      expect(requestHeaders, method).toHaveProperty('If-Match');
      expect(problems, method).toHaveProperty('412');
      expect(requestHeaders && 'If-None-Match' in requestHeaders, method).toBe(
        method === 'PUT' && free !== undefined,
      );
    }
  });

  test('each overwrite has another ETag, and reading answers the same', async () => {
    const path = await create();
    const etags = [await etagAt(path)];
    for (const writer of [1, 2, 3]) {
      const { status, headers } = await write(path, writer);
      expect(status).toBe(200);
      expect(await etagAt(path)).toBe(headers.etag);
      etags.push(String(headers.etag));
    }
    expect(new Set(etags).size).toBe(4);
  });

  test('the ETag of now, a list with it, * and no If-Match let the change through', async () => {
    const path = await create();
    const first = await write(path, 1, await etagAt(path));
    expect(first.status).toBe(200);
    const second = await write(path, 2, `"other", ${first.headers.etag}`);
    expect(second.status).toBe(200);
    expect((await write(path, 3, '*')).status).toBe(200);
    expect((await write(path, 4)).status).toBe(200);
  });

  test('any other is 412, and changes nothing', async () => {
    const path = await create();
    const tags = await stale(path);
    const before = await read(path);
    for (const ifMatch of tags) {
      const { status, json } = await write(path, 2, ifMatch);
      expect([status, json.type], ifMatch).toEqual([412, problemType('changed-meanwhile')]);
    }
    const after = await read(path);
    expect([after.json, after.headers.etag]).toEqual([before.json, before.headers.etag]);
  });

  test('of writers with the same ETag exactly one wins', async () => {
    const path = await create();
    const etag = await etagAt(path);
    const answers = await Promise.all([1, 2, 3, 4, 5, 6].map((one) => write(path, one, etag)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 412, 412, 412, 412, 412]);
    const winner = answers.find(({ status }) => status === 200);
    const { json, headers } = await read(path);
    expect(json).toMatchObject(winner?.json);
    expect(headers.etag).toBe(winner?.headers.etag);
  });

  test.runIf(deletes)('a deletion respects If-Match as well', async () => {
    const path = await create();
    const tags = await stale(path);
    const before = await read(path);
    for (const ifMatch of tags) {
      const { status } = await service.call('DELETE', path, undefined, { 'if-match': ifMatch });
      expect(status, ifMatch).toBe(412);
    }
    expect((await read(path)).json).toEqual(before.json);
    const right = { 'if-match': String(before.headers.etag) };
    expect((await service.call('DELETE', path, undefined, right)).status).toBe(204);
    expect((await service.call('DELETE', path, undefined, right)).status).toBe(404);
  });

  if (!free) {
    test.runIf(deletes)('what is not there is 404, not 412', async () => {
      const path = await create();
      await service.call('DELETE', path);
      expect((await write(path, 1, '*')).status).toBe(404);
    });
    return;
  }

  test('If-Match creates nothing', async () => {
    for (const ifMatch of ['*', '"1"']) {
      const path = free();
      expect((await write(path, 7, ifMatch)).status).toBe(412);
      expect((await read(path)).status).toBe(404);
    }
  });

  test('If-None-Match: * overwrites nothing, and of many who create one does', async () => {
    const path = free();
    const only = { 'if-none-match': '*' };
    const answers = await Promise.all(
      [8, 9, 10, 11].map((writer) => service.call('PUT', path, body(writer), only)),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 412, 412, 412]);
    const winner = answers.find(({ status }) => status === 201);
    const { json } = await service.call('PUT', path, body(12), only);
    expect(json.type).toEqual(problemType('exists-already'));
    const after = await read(path);
    expect([after.json, after.headers.etag]).toEqual([winner?.json, winner?.headers.etag]);
  });

  test('what is deleted and created again has no ETag that it had before', async () => {
    const path = await create();
    const seen = [await etagAt(path)];
    for (const writer of [13, 14]) {
      await service.call('DELETE', path);
      expect((await write(path, writer)).status).toBe(201);
      seen.push(await etagAt(path));
      seen.push(String((await write(path, writer + 2)).headers.etag));
    }
    expect(new Set(seen).size).toBe(5);
  });
});

test('a client that is made again under the id of one that was deleted is another', async () => {
  const body = { id: 'made-again', ...administered(1) };
  const { headers } = await service.call('POST', '/administration/clients', body);
  const path = '/administration/clients/made-again';
  const asFirst = { 'if-match': String(headers.etag) };
  expect((await service.call('DELETE', path, undefined, asFirst)).status).toBe(204);
  await setTimeout(1_100);
  expect((await service.call('POST', '/administration/clients', body)).status).toBe(201);
  expect((await service.call('PUT', path, administered(2), asFirst)).status).toBe(412);
});

test('an estimate leaves the version of the inspection, and a completed one changes it', async () => {
  const path = newVehicle();
  const information = { firstRegistrationDate: '2022-03-01' };
  await service.call('PUT', path, { information });
  const pending = (await service.call('GET', `${path}/inspection`)).headers.etag;
  await service.runJobs();
  const estimated = await service.call('GET', `${path}/inspection`);
  expect(estimated.json.status).toBe('estimated');
  expect(versionOf(estimated.headers.etag)).toBe(versionOf(pending));
  expect(estimated.json).not.toHaveProperty('updatedAt');

  const { json } = await service.call('GET', `${path}/maintenance`);
  const report = json.items.find(({ source }: { source: string }) => source === 'inspection');
  const done = await service.call('POST', `${path}/maintenance/${report.id}/done`, {});
  const next = await service.call('GET', `${path}/maintenance/${report.id}`);
  expect(done.headers.etag).toBe(next.headers.etag);
  const after = await service.call('GET', `${path}/inspection`);
  expect(versionOf(after.headers.etag)).not.toBe(versionOf(pending));
  expect(after.json.updatedAt).toMatch(/Z$/);
});

test('maintenance is done only in the state that If-Match names', async () => {
  const path = await post(`/${vehicle}/maintenance`, planned(1));
  const before = await service.call('GET', path);
  const done = (ifMatch: string) =>
    service.call('POST', `${path}/done`, {}, { 'if-match': ifMatch });
  expect((await done('"999"')).status).toBe(412);
  expect((await service.call('GET', path)).json).toEqual(before.json);
  expect((await done(String(before.headers.etag))).status).toBe(200);
});
