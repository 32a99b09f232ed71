import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Queryable } from '../../platform/db/database.ts';
import type { Answer } from '../../testing/http-client.ts';
import { lockWaits } from '../../testing/lock-waits.ts';
import { makeFleet } from '../../testing/make-fleet.ts';
import { startTestService, type TestService } from '../../testing/test-service.ts';
import { damagePositions } from './damage-position.ts';
import { exampleRequest, IncidentSchema } from './incident.ts';

let service: TestService;
const vehicle = 'DE*ABC*T0000';
const sibling = 'DE*ABC*T0007';
const required = { title: 'Hail', vehicleOperable: true, isResolved: false };
const damage = exampleRequest.damages[0] as (typeof exampleRequest.damages)[number];

beforeAll(async () => {
  service = await startTestService();
  await makeFleet(service.db, 'DE', 'ABC', 2);
  await makeFleet(service.db, 'FR', 'XYZ', 1);
});
afterAll(() => service.stop());

async function report(body: object = required) {
  const { json, headers } = await service.call('POST', `/${vehicle}/incidents`, body);
  return {
    id: json.id,
    json,
    etag: String(headers.etag),
    path: `/${vehicle}/incidents/${json.id}`,
  };
}

async function writersWaiting(tx: Queryable, count: number): Promise<void> {
  while ((await lockWaits(tx)) < count);
}

describe('the body overwrites the incident', () => {
  test('every field is kept and answered, and so is what was read before', async () => {
    const { path, json: before } = await report();
    const { status, json } = await service.call('PUT', path, exampleRequest);
    expect(status).toBe(200);
    expect(json).toEqual({
      ...exampleRequest,
      id: before.id,
      ocrStatus: 'NOT_STARTED',
      reportTimestamp: before.reportTimestamp,
    });
    expect((await service.call('GET', path)).json).toEqual(json);
  });

  test('an optional field that is left out is cleared, the damages included', async () => {
    const { path, json: before } = await report(exampleRequest);
    const { json } = await service.call('PUT', path, { ...required, isResolved: true });
    const { id, ocrStatus, reportTimestamp } = before;
    expect(json).toEqual({ ...required, isResolved: true, id, ocrStatus, reportTimestamp });
    expect((await service.call('GET', path)).json).toEqual(json);
    for (const name of Object.keys(exampleRequest).filter((key) => !(key in required))) {
      const { [name as 'notes']: _left, ...rest } = exampleRequest;
      expect((await service.call('PUT', path, rest)).json, name).toEqual({
        ...rest,
        id,
        ocrStatus,
        reportTimestamp,
      });
    }
  });

  test('no damages and an empty list are the same, and are answered as absent', async () => {
    const { path } = await report(exampleRequest);
    const { json } = await service.call('PUT', path, { ...required, damages: [] });
    expect(json).not.toHaveProperty('damages');
    expect(json).not.toHaveProperty('blobs');
  });

  test('damages keep their order, also equal ones', async () => {
    const damages = Array.from({ length: 30 }, (_, index) => ({
      ...damage,
      title: `Dent ${index % 7}`,
    }));
    const { path } = await report(exampleRequest);
    expect((await service.call('PUT', path, { ...required, damages })).json.damages).toEqual(
      damages,
    );
  });

  test('id, ocrStatus, reportTimestamp, blobs and our own fields are accepted and ignored', async () => {
    const { path, json: before } = await report(exampleRequest);
    const { status, json } = await service.call('PUT', path, {
      ...exampleRequest,
      id: '00000000-0000-4000-8000-000000000000',
      ocrStatus: 'PROCESSED',
      reportTimestamp: '2001-01-01T00:00:00.000Z',
      blobs: [{ uuid: '00000000-0000-4000-8000-000000000001', filename: 'x', uploaded: true }],
      vehicleId: sibling,
      possibleDuplicateOf: [{ incidentId: '1' }],
    });
    expect(status).toBe(200);
    expect(json).toEqual(before);
  });

  test('the OCR status survives, the files are answered, and nothing beyond the interface is', async () => {
    const { id, path } = await report(exampleRequest);
    await report(exampleRequest);
    await service.call('POST', `${path}/ocr`, { status: 'MANUAL' });
    const files = ['first.jpg', 'second.jpg'];
    for (const filename of files) {
      await service.db.query(
        `insert into blobs (provider, vehicle_id, owner, entry_id, filename, content_type, created_at)
         values ('DE-ABC', $1, 'incidents', $2, $3, 'image/jpeg', now())`,
        [vehicle, id, filename],
      );
    }
    expect((await service.call('GET', path)).json).toHaveProperty('possibleDuplicateOf');
    const { json } = await service.call('PUT', path, exampleRequest);
    expect(json.ocrStatus).toBe('MANUAL');
    expect(json.blobs).toEqual(
      files.map((filename) => ({ uuid: expect.any(String), filename, uploaded: false })),
    );
    expect(Object.keys(json).sort()).toEqual(Object.keys(IncidentSchema.properties).sort());
  });

  test('a time is answered in UTC to the millisecond, whatever its offset', async () => {
    const { path } = await report();
    for (const [sent, answered] of [
      ['2026-11-14T18:20:00+01:00', '2026-11-14T17:20:00.000Z'],
      ['2026-11-14T18:20Z', '2026-11-14T18:20:00.000Z'],
      ['2026-11-14t18:20:00.123987654-0530', '2026-11-14T23:50:00.123Z'],
      ['0050-01-01T00:00:00+0100', '0049-12-31T23:00:00.000Z'],
      ['0001-01-01T00:00:00Z', '0001-01-01T00:00:00.000Z'],
      ['9999-12-31T23:59:59.999999999Z', '9999-12-31T23:59:59.999Z'],
    ]) {
      const body = { ...required, incidentTimestamp: sent };
      expect((await service.call('PUT', path, body)).json.incidentTimestamp, sent).toBe(answered);
    }
  });
});

describe('what the body may hold', () => {
  test('every position of the interface, each severity, repaired or not', async () => {
    const { path } = await report();
    const damages = damagePositions.map((position, index) => ({
      ...damage,
      position,
      severity: ['light', 'moderate', 'high'][index % 3],
      repaired: index % 2 === 0,
    }));
    const { status, json } = await service.call('PUT', path, { ...required, damages });
    expect(status).toBe(200);
    expect(json.damages).toEqual(damages);
  });

  test('a missing or impossible value, or null for a required one, is 400, named by its place, and changes nothing', async () => {
    const { path, json: before } = await report(exampleRequest);
    const without = (name: string, from: object) =>
      Object.fromEntries(Object.entries(from).filter(([key]) => key !== name));
    const faulty: [unknown, string][] = [];
    for (const name of Object.keys(required)) {
      faulty.push([without(name, exampleRequest), `/${name}`]);
      faulty.push([{ ...exampleRequest, [name]: null }, `/${name}`]);
    }
    const withDamage = (changed: object) => ({ ...exampleRequest, damages: [changed, damage] });
    for (const name of Object.keys(damage)) {
      faulty.push([withDamage(without(name, damage)), `/damages/0/${name}`]);
      faulty.push([withDamage({ ...damage, [name]: null }), `/damages/0/${name}`]);
    }
    for (const [name, value] of [
      ['position', 'front_left_door'],
      ['position', 'ANTENNA'],
      ['position', ''],
      ['severity', 'severe'],
      ['severity', 'Light'],
      ['repaired', 'no'],
      ['title', 'x'.repeat(10_001)],
      ['damageType', 'x'.repeat(10_001)],
      ['id', 1],
    ] as const) {
      faulty.push([withDamage({ ...damage, [name]: value }), `/damages/0/${name}`]);
    }
    const { customer } = exampleRequest;
    for (const [name, value] of [
      ['title', 'x'.repeat(10_001)],
      ['vehicleOperable', 'true'],
      ['isResolved', 0],
      ['incidentTimestamp', '2026-11-14'],
      ['incidentTimestamp', '2026-11-14T17:20:00'],
      ['incidentTimestamp', '2026-02-29T17:20:00Z'],
      ['incidentTimestamp', '2026-11-14T25:20:00Z'],
      ['incidentTimestamp', '0001-01-01T00:00:00+14:00'],
      ['incidentTimestamp', '9999-12-31T23:59:59-14:00'],
      ['incidentTimestamp', 1_763_140_800],
      ['location', 'x'.repeat(10_001)],
      ['incidentType', 'x'.repeat(10_001)],
      ['damages', {}],
      ['damages', Array.from({ length: 1_001 }, () => damage)],
      ['speed', 30],
    ] as const) {
      faulty.push([{ ...exampleRequest, [name]: value }, `/${name}`]);
    }
    for (const [name, value] of [
      ['customerId', '7c9e6679-7425-50de-944b-e07fc1f90ae7'],
      ['customerId', 'someone'],
      ['mobilityProviderCode', 'MO'],
      ['mobilityProviderCountryCode', 'DEU'],
    ] as const) {
      const changed = { ...customer, [name]: value };
      faulty.push([{ ...exampleRequest, customer: changed }, `/customer/${name}`]);
    }
    for (const [body, pointer] of faulty) {
      const { status, json } = await service.call('PUT', path, body);
      const where = `${pointer} in ${JSON.stringify(body).slice(0, 300)}`;
      expect(status, where).toBe(400);
      expect(json.errors[0].pointer, where).toBe(pointer);
    }
    const { json: after } = await service.call('GET', path);
    expect(after).toMatchObject(before);
  });

  test('every issue is named, not only the first', async () => {
    const { path } = await report();
    const { json } = await service.call('PUT', path, { damages: [{ position: 'nowhere' }] });
    const pointers = json.errors.map((error: { pointer: string }) => error.pointer);
    expect(pointers.sort()).toEqual([
      '/damages/0/damageType',
      '/damages/0/position',
      '/damages/0/repaired',
      '/damages/0/severity',
      '/damages/0/title',
      '/isResolved',
      '/title',
      '/vehicleOperable',
    ]);
  });

  test('an optional text may be empty, and stays so', async () => {
    const { path } = await report();
    const { json } = await service.call('PUT', path, { ...required, notes: '', location: '' });
    expect(json).toMatchObject({ notes: '', location: '' });
  });
});

describe('404', () => {
  test('for an unknown vehicle, an unknown incident, and an id that is none', async () => {
    const { id, path } = await report();
    for (const [at, title] of [
      [`/DE*ABC*nowhere/incidents/${id}`, 'No such vehicle'],
      [`/FR*XYZ*T0000/incidents/${id}`, 'No such vehicle'],
      [`/${sibling}/incidents/${id}`, 'No such incident'],
      [`/${vehicle}/incidents/00000000-0000-4000-8000-000000000000`, 'No such incident'],
      [`/${vehicle}/incidents/nothing`, 'No such incident'],
    ]) {
      const { status, json } = await service.call('PUT', at as string, required);
      expect([status, json.title], at).toEqual([404, title]);
    }
    expect((await service.call('PUT', path.replace(id, id.toUpperCase()), required)).status).toBe(
      200,
    );
  });

  test('for another provider’s incident, which stays as it is', async () => {
    const base = '/api/fleets/v1/FR/XYZ/FR*XYZ*T0000/incidents';
    const headers = {
      authorization: `Bearer ${await service.token('FR-XYZ')}`,
      'content-type': 'application/json',
    };
    const body = JSON.stringify(exampleRequest);
    const { json: foreign } = await service.send({ method: 'POST', path: base, headers, body });
    for (const at of [vehicle, 'FR*XYZ*T0000']) {
      const path = `/${at}/incidents/${foreign.id}`;
      expect((await service.call('PUT', path, required)).status).toBe(404);
      expect((await service.call('GET', path)).status).toBe(404);
      expect((await service.call('DELETE', path)).status).toBe(404);
      expect((await service.call('POST', `${path}/ocr`, { status: 'MANUAL' })).status).toBe(404);
    }
    const after = await service.send({ path: `${base}/${foreign.id}`, headers });
    expect(after.json).toEqual(foreign);
  });
});

describe('If-Match', () => {
  const put = (path: string, ifMatch?: string) =>
    service.call('PUT', path, exampleRequest, ifMatch ? { 'if-match': ifMatch } : {});

  test('every change gives a new ETag, and reading answers the same version', async () => {
    const { path, etag } = await report();
    const first = await put(path);
    const second = await put(path);
    expect(new Set([etag, first.headers.etag, second.headers.etag]).size).toBe(3);
    // Reading also answers possible duplicates: another representation of the same version.
    const versionOf = (answer: Answer) => String(answer.headers.etag).split('.', 1)[0];
    expect(versionOf(await service.call('GET', path))).toBe(versionOf(second));
  });

  test('the ETag of now, a list with it, * and none at all let the change through', async () => {
    const { path, etag } = await report();
    const { status, headers } = await put(path, etag);
    expect(status).toBe(200);
    expect((await put(path, `"other", ${headers.etag}`)).status).toBe(200);
    expect((await put(path, '*')).status).toBe(200);
    expect((await put(path)).status).toBe(200);
  });

  test('any other is 412 and changes nothing', async () => {
    const { path, etag, json } = await report();
    for (const ifMatch of ['"999"', `W/${etag}`, etag.replaceAll('"', ''), 'nonsense']) {
      expect((await put(path, ifMatch)).status, ifMatch).toBe(412);
    }
    const { json: after, headers } = await service.call('GET', path);
    expect(after).toEqual(json);
    expect(headers.etag).toBe(etag);
  });

  test('an incident that is not there is 404, not 412', async () => {
    const missing = `/${vehicle}/incidents/00000000-0000-4000-8000-000000000000`;
    expect((await put(missing, '"1"')).status).toBe(404);
  });

  test('of twenty writers with the same ETag exactly one wins', async () => {
    const { id, path, etag } = await report();
    // The lock lets several of them reach their statement before the first continues.
    const { calls } = await service.db.transaction(async (tx) => {
      await tx.query('select from incidents where id = $1 for update', [id]);
      const calls = Array.from({ length: 20 }, (_, index) =>
        service.call('PUT', path, { ...required, title: `Writer ${index}` }, { 'if-match': etag }),
      );
      await writersWaiting(tx, 2);
      return { calls };
    });
    const answers = await Promise.all(calls);
    const winners = answers.filter(({ status }) => status === 200);
    expect(winners).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 412)).toHaveLength(19);
    expect((await service.call('GET', path)).json.title).toBe(winners[0]?.json.title);
  });
});

test('a hundred writers at once leave the damages of exactly one of them, whole', async () => {
  const { path } = await report(exampleRequest);
  const bodyOf = (writer: number) => ({
    ...required,
    title: `Writer ${writer}`,
    damages: Array.from({ length: 1 + (writer % 9) }, (_, index) => ({
      ...damage,
      title: `Damage ${index} of ${writer}`,
    })),
  });
  const answers = await Promise.all(
    Array.from({ length: 100 }, (_, writer) => service.call('PUT', path, bodyOf(writer))),
  );
  for (const [writer, { status, json }] of answers.entries()) {
    expect(status).toBe(200);
    expect(json).toMatchObject(bodyOf(writer));
  }
  expect(new Set(answers.map(({ headers }) => headers.etag)).size).toBe(100);
  const { json } = await service.call('GET', path);
  expect(json.damages).toEqual(bodyOf(Number(json.title.split(' ')[1])).damages);
});

test('a reader beside writers never sees the damages of two of them', async () => {
  const { path } = await report(exampleRequest);
  const writes = Array.from({ length: 30 }, (_, writer) =>
    service.call('PUT', path, {
      ...required,
      title: `Writer ${writer}`,
      damages: Array.from({ length: 5 }, () => ({ ...damage, title: `Writer ${writer}` })),
    }),
  );
  const reads = Array.from({ length: 30 }, () => service.call('GET', path));
  await Promise.all(writes);
  for (const { json } of (await Promise.all(reads)).filter(
    ({ json }) => json.title !== exampleRequest.title,
  )) {
    expect(json.damages.map(({ title }: { title: string }) => title)).toEqual(
      Array.from({ length: 5 }, () => json.title),
    );
  }
});
