import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { addClient } from '../../../auth/clients.ts';
import { resealSecrets } from '../../../auth/sealed-secrets.ts';
import { ublInvoice } from '../../../testing/electronic-invoices.ts';
import { lockTable } from '../../../testing/lock-table.ts';
import { makeFleet } from '../../../testing/make-fleet.ts';
import { requestToken, startTestService, type TestService } from '../../../testing/test-service.ts';
import { openDatabase } from '../../db/database.ts';
import { createSecretBox } from '../../secrets/secret-box.ts';
import { removeExpiredAnswers } from './kept-answers.ts';

/** Two processes on one database. */
let one: TestService;
let two: TestService;
let vehicles: string[];
beforeAll(async () => {
  one = await startTestService();
  two = await startTestService({ database: one.database });
  vehicles = (await makeFleet(one.db, 'DE', 'ABC', 2)).map(({ asset }) => asset.id);
});
afterAll(async () => {
  await two.stop();
  await one.stop();
});

const incident = {
  title: 'Does not start',
  vehicleOperable: false,
  incidentType: 'breakdown',
  isResolved: false,
};
const path = (vehicle = 0) => `/${vehicles[vehicle]}/incidents`;
const create = (key: string, body: object = incident, { on = one, at = path() } = {}) =>
  on.call('POST', at, body, { 'idempotency-key': key });
const countIncidents = async () =>
  (await one.db.query('select 1 from incidents where provider = $1', ['DE-ABC'])).length;
const kindOf = ({ json }: { json: { type?: string } }) => json.type?.split('/').at(-1);

describe('a key', () => {
  test('gives the same answer again, from every process, and writes once', async () => {
    const before = await countIncidents();
    const key = randomUUID();
    const first = await create(key);
    expect([first.status, first.headers['idempotency-replayed']]).toEqual([201, undefined]);
    for (const on of [one, two]) {
      const again = await create(key, incident, { on });
      expect([again.status, again.text]).toEqual([201, first.text]);
      expect(again.headers).toMatchObject({
        location: first.headers.location,
        etag: first.headers.etag,
        'idempotency-replayed': 'true',
      });
    }
    expect(await countIncidents()).toBe(before + 1);
  });

  test('is the same with and without the quotes of a structured field', async () => {
    const key = randomUUID();
    const first = await create(`"${key}"`);
    expect((await create(key)).text).toBe(first.text);
  });

  test('is refused with 422 for another body, path, query or condition', async () => {
    const key = randomUUID();
    await create(key);
    const before = await countIncidents();
    const others = [
      await create(key, { ...incident, title: 'Starts again' }),
      await create(key, incident, { at: path(1) }),
      await create(key, incident, { at: `${path()}?` }),
    ];
    for (const other of others)
      expect([other.status, kindOf(other)]).toEqual([422, 'idempotency-key-reused']);
    expect(await countIncidents()).toBe(before);

    const patch = (ifMatch: string) =>
      one.call(
        'PATCH',
        `/${vehicles[0]}/asset`,
        { active: true },
        { 'idempotency-key': key, 'if-match': ifMatch },
      );
    expect((await patch('*')).status).toBe(200);
    expect(kindOf(await patch('"1"'))).toBe('idempotency-key-reused');
  });

  test('is compared with the body as it is parsed', async () => {
    const key = randomUUID();
    const first = await create(key);
    const spaced = await one.send({
      method: 'POST',
      path: `/api/fleets/v1/DE/ABC${path()}`,
      headers: {
        authorization: `Bearer ${await one.token()}`,
        'content-type': 'application/json',
        'idempotency-key': key,
      },
      body: JSON.stringify(incident, null, 2),
    });
    expect(spaced.text).toBe(first.text);
  });

  test('belongs to the operation', async () => {
    const key = randomUUID();
    await create(key);
    const entry = { date: '2026-11-01', category: 'toll', title: 'Toll' };
    const answer = await one.call('POST', `/${vehicles[0]}/logbook`, entry, {
      'idempotency-key': key,
    });
    expect([answer.status, answer.headers['idempotency-replayed']]).toEqual([201, undefined]);
  });

  test('belongs to the client, and so to its asset provider', async () => {
    const key = randomUUID();
    await create(key);
    const { id: clientId, secret: clientSecret = '' } = await addClient(one.db, 'DE-ABC', {
      name: 'Other',
    });
    const { json } = await requestToken(one.url, 'DE-ABC', { clientId, clientSecret });
    const answer = await one.call('POST', path(), incident, {
      'idempotency-key': key,
      authorization: `Bearer ${json.access_token}`,
    });
    expect([answer.status, answer.headers['idempotency-replayed']]).toEqual([201, undefined]);
    const foreign = await one.call('POST', path(), incident, {
      'idempotency-key': key,
      authorization: `Bearer ${await one.token('FR-XYZ')}`,
    });
    expect(foreign.status).toBe(403);
  });

  test.each(['', ' ', '"', '""', 'a"b', 'a, b', '"a', 'x'.repeat(256), 'ä', '\\'])(
    'that is none is refused with 400: %s',
    async (key) => {
      const before = await countIncidents();
      const answer = await create(key);
      expect([answer.status, kindOf(answer)]).toEqual([400, 'invalid-idempotency-key']);
      expect(await countIncidents()).toBe(before);
    },
  );

  test('has no effect on searches and other methods', async () => {
    const headers = { 'idempotency-key': 'x'.repeat(300) };
    expect((await one.call('POST', '/vehicles', {}, headers)).status).toBe(200);
    expect((await one.call('GET', `/${vehicles[0]}`, undefined, headers)).status).toBe(200);
  });
});

describe('a refusal', () => {
  const template = (name: string, key: string) =>
    one.call(
      'POST',
      '/checklist-templates',
      { name, entries: [{ title: 'Keys', type: 'check' }] },
      { 'idempotency-key': key },
    );

  test('of the operation is kept, and has written nothing', async () => {
    const name = randomUUID();
    const key = randomUUID();
    const { json: taken } = await template(name, randomUUID());
    const first = await template(name, key);
    expect([first.status, kindOf(first)]).toEqual([409, 'name-taken']);
    await one.call('DELETE', `/checklist-templates/${taken.id}`);
    const again = await template(name, key);
    const { requestId: _, ...problem } = first.json;
    expect([again.status, again.headers['idempotency-replayed']]).toEqual([409, 'true']);
    expect(again.json).toMatchObject(problem);
    expect((await template(name, randomUUID())).status).toBe(201);
  });

  test('before the operation is not: what is not valid can be corrected under the same key', async () => {
    const key = randomUUID();
    expect((await create(key, { ...incident, title: 1 })).status).toBe(400);
    expect((await create(key)).status).toBe(201);
  });
});

test('while a request is processed, others with its key are 409, also in other processes', async () => {
  const before = await countIncidents();
  const key = randomUUID();
  const unlock = await lockTable(one.owner, 'incidents');
  const first = create(key);
  await expect
    .poll(() => one.owner.query(`select 1 from pg_locks where locktype = 'advisory' and granted`))
    .not.toEqual([]);
  for (const on of [one, two]) {
    const other = await create(key, incident, { on });
    expect([other.status, kindOf(other)]).toEqual([409, 'request-in-progress']);
    expect(other.headers['retry-after']).toBe('1');
  }
  await unlock();
  expect((await first).status).toBe(201);
  expect(await countIncidents()).toBe(before + 1);
});

test('of many at once, one writes, and the others get its answer or 409', async () => {
  const before = await countIncidents();
  const key = randomUUID();
  const answers = await Promise.all(
    Array.from({ length: 30 }, (_, index) => create(key, incident, { on: index % 2 ? one : two })),
  );
  const written = answers.filter(({ status }) => status === 201);
  expect(new Set(written.map(({ text }) => text)).size).toBe(1);
  for (const { status } of answers) expect([201, 409]).toContain(status);
  expect(await countIncidents()).toBe(before + 1);
});

test('what fails on the way is not kept', async () => {
  const key = randomUUID();
  await one.owner.query('alter table incidents rename to incidents_elsewhere');
  await expect(create(key)).rejects.toThrow('incidents');
  await one.owner.query('alter table incidents_elsewhere rename to incidents');
  expect((await create(key)).status).toBe(201);
});

test('an answer that is too large to be kept writes nothing', async () => {
  const messages = Array.from({ length: 9_000 }, () => ({ vehicleId: 'x'.repeat(60) }));
  const send = (headers: Record<string, string>) =>
    one.call('POST', '/databox/messages', messages, headers);
  expect((await send({})).text.length).toBeGreaterThan(1_048_576);
  const answer = await send({ 'idempotency-key': randomUUID() });
  expect([answer.status, kindOf(answer)]).toEqual([422, 'answer-too-large-to-keep']);
});

test('an answer that is much larger than its request takes little space, and is given again', async () => {
  const key = randomUUID();
  const send = () =>
    one.call('POST', '/databox/messages', Array(4_000).fill({}), { 'idempotency-key': key });
  const first = await send();
  expect([first.status, first.json.counts.rejected]).toEqual([200, 4_000]);
  const [kept] = await one.db.query<{ bytes: number }>(
    'select length(sealed_answer) as bytes from idempotency_keys order by expires_at desc limit 1',
  );
  expect(kept?.bytes).toBeLessThan(first.text.length / 10);
  const again = await send();
  expect([again.status, again.text]).toEqual([200, first.text]);
  expect(again.headers).toMatchObject({ 'idempotency-replayed': 'true' });
});

test('a large answer is opened for the same request alone, and not parsed', async () => {
  const key = randomUUID();
  const send = (count: number) =>
    one.call('POST', '/databox/messages', Array(count).fill({}), { 'idempotency-key': key });
  const first = await send(4_000);
  const opened = vi.spyOn(one.db.secrets, 'open');
  const parse = vi.spyOn(JSON, 'parse');
  onTestFinished(() => void vi.restoreAllMocks());
  const isOpened = () => opened.mock.calls.some(([name]) => name.startsWith('idempotency_keys/'));
  expect([kindOf(await send(1)), isOpened()]).toEqual(['idempotency-key-reused', false]);
  const again = await send(4_000);
  expect([again.text === first.text, isOpened()]).toEqual([true, true]);
  const parsed = parse.mock.calls.map(([text]) => String(text));
  const heads = parsed.filter((text) => text.startsWith('{"status":'));
  expect(heads.map((head) => head.length < 1_000)).toEqual([true]);
});

test('an upload under a key is stored once, and another file is 422', async () => {
  const key = randomUUID();
  const upload = async (document: string, on = one) =>
    on.send({
      method: 'POST',
      path: '/api/fleets/v1/DE/ABC/invoices/documents',
      headers: {
        authorization: `Bearer ${await on.token()}`,
        'content-type': 'application/xml',
        'idempotency-key': key,
      },
      body: document,
    });
  const document = ublInvoice();
  const first = await upload(document);
  expect(first.status, first.text).toBe(201);
  const again = await upload(document, two);
  expect([again.status, again.text]).toEqual([201, first.text]);
  const other = await upload(`${document}\n`);
  expect([other.status, kindOf(other)]).toEqual([422, 'idempotency-key-reused']);
});

test('a secret in an answer is given again, and stored encrypted', async () => {
  const key = randomUUID();
  const add = () =>
    one.call('POST', '/administration/clients', { name: 'Kept' }, { 'idempotency-key': key });
  const first = await add();
  expect(first.json.secret).toMatch(/^[\w-]{43}$/);
  expect((await add()).json).toEqual(first.json);
  const stored = await one.db.query<{ row: string }>(
    'select k::text as row from idempotency_keys k',
  );
  for (const { row } of stored) expect(row).not.toContain(first.json.secret);
});

test('a new key of the secrets seals kept answers anew', async () => {
  const service = await startTestService();
  try {
    const [{ asset } = { asset: { id: '' } }] = await makeFleet(service.db, 'DE', 'ABC', 1);
    await create(randomUUID(), incident, { on: service, at: `/${asset.id}/incidents` });
    const renewed = openDatabase(service.database.owner, {
      poolSize: 1,
      statementTimeoutMs: 10_000,
      secrets: twoKeys(service),
    });
    await resealSecrets(renewed);
    const [row] = await renewed.query<{ id: string; sealed_answer: string }>(
      'select id, sealed_answer from idempotency_keys',
    );
    const name = `idempotency_keys/DE-ABC/${row?.id}`;
    expect(newBox.open(name, row?.sealed_answer ?? '')).toMatch(/^{"status":201,/);
    await renewed.close();
  } finally {
    await service.stop();
  }
});

const newBox = createSecretBox([Buffer.alloc(32, 7)]);

/** Opens what the service has sealed, and seals with the new key. */
function twoKeys({ db }: TestService) {
  return {
    keyId: newBox.keyId,
    hasKey: () => true,
    seal: newBox.seal,
    open: db.secrets.open,
  };
}

test('after a day the request is executed again, and a job removes what has expired', async () => {
  const key = randomUUID();
  const first = await create(key);
  const lifetimes = await one.db.query<{ ok: boolean }>(
    `select expires_at between now() + interval '23 h' and now() + interval '24 h' as ok
     from idempotency_keys`,
  );
  expect(lifetimes.every(({ ok }) => ok)).toBe(true);
  const expire = () => one.owner.query(`update idempotency_keys set expires_at = now()`);
  await expire();
  const again = await create(key);
  expect([again.status, again.headers['idempotency-replayed']]).toEqual([201, undefined]);
  expect(again.json.id).not.toBe(first.json.id);
  const kept = () => one.db.query('select 1 from idempotency_keys');
  const removeExpired = async () => {
    await one.db.transaction((tx) => one.dependencies.jobs.add(tx, removeExpiredAnswers, {}));
    await one.runJobs();
  };
  await removeExpired();
  expect(await kept()).toHaveLength(1);
  await expire();
  await removeExpired();
  expect(await kept()).toEqual([]);
});
