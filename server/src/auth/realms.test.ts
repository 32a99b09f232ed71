import { decodeJwt, decodeProtectedHeader } from 'jose';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { Database } from '../platform/db/database.ts';
import { testCredentials } from '../testing/global-setup.ts';
import { lockWaits } from '../testing/lock-waits.ts';
import { requestToken, startTestService, type TestService } from '../testing/test-service.ts';
import { addClient } from './clients.ts';
import { rotateKey } from './keys.ts';
import { addProvider } from './providers.ts';
import { createRealms } from './realms.ts';

/** Two processes on one database, behind one address. */
let one: TestService;
let other: TestService;

beforeAll(async () => {
  one = await startTestService({ publicUrl: 'https://fleet.example.com' });
  other = await startTestService({
    database: one.database,
    publicUrl: 'https://fleet.example.com',
  });
});
afterAll(async () => {
  vi.useRealTimers();
  await other.stop();
  await one.stop();
});

/** A running service caches realms for a second. */
function advanceOneSecond(): void {
  vi.setSystemTime(Date.now() + 1_000);
}

async function tokenOf(service: TestService, realm = 'DE-ABC'): Promise<string> {
  const { json } = await requestToken(service.url, realm, testCredentials);
  return json.access_token;
}

function findVehicles(service: TestService, token: string, provider = 'DE/ABC') {
  return service.send({
    method: 'POST',
    path: `/api/fleets/v1/${provider}/vehicles`,
    headers: { authorization: `Bearer ${token}` },
  });
}

async function keysOf(service: TestService, realm = 'DE-ABC'): Promise<Record<string, string>[]> {
  const { json } = await service.send({ path: `/realms/${realm}/protocol/openid-connect/certs` });
  return json.keys;
}
const idsOf = (keys: Record<string, string>[]) => keys.map(({ kid }) => kid);
const rotate = () => one.db.transaction((tx) => rotateKey(tx, 'DE-ABC'));

test('a realm is loaded once for all who ask at a time, and anew for whoever asks to refresh it', async () => {
  const { db } = one;
  let [loads, keyLoads] = [0, 0];
  const query: Database['query'] = (text, values) => {
    if (text.includes('from providers')) loads += 1;
    else keyLoads += 1;
    return db.query(text, values);
  };
  const counted = { ...db, query };
  const realms = createRealms({ ...counted, forTenant: () => counted });
  const many = <Result>(ask: () => Result) => Promise.all(Array.from({ length: 50 }, ask));
  await many(() => realms.find('DE-ABC'));
  expect(loads).toBe(1);
  await many(() => realms.refresh('DE-ABC'));
  expect(loads).toBe(2);
  const running = realms.find('FR-XYZ');
  await many(() => realms.refresh('FR-XYZ'));
  expect((await running)?.provider).toBe('FR-XYZ');
  expect(loads).toBe(4);
  // Anybody can name a key.
  await many(() => realms.hasKey('DE-ABC', 'made up'));
  expect([loads, keyLoads]).toEqual([4, 1]);
});

test('a realm that is known is loaded while strangers make up more names than can be looked up', async () => {
  const realms = createRealms(one.db.forTenant('realms', 'internal'));
  await realms.find('DE-ABC');
  const names = Array.from({ length: 600 }, (_, index) => `ZZ-${index + 100}`);
  const unknown = Promise.allSettled(names.map((name) => realms.find(name)));
  expect((await realms.refresh('DE-ABC'))?.provider).toBe('DE-ABC');
  const found = await unknown;
  expect(found.some(({ status }) => status === 'rejected')).toBe(true);
});

test('only what is public of a key is ever served', async () => {
  await rotate();
  advanceOneSecond();
  for (const key of await keysOf(one)) {
    expect(Object.keys(key).sort()).toEqual(['alg', 'e', 'kid', 'kty', 'n', 'use']);
    expect(key).toMatchObject({ kty: 'RSA', alg: 'RS256', use: 'sig' });
  }
});

test('after a rotation old tokens work, new ones carry the new key, and both keys are served', async () => {
  const before = await tokenOf(one);
  const kid = await rotate();
  advanceOneSecond();
  const after = await tokenOf(one);
  expect(decodeProtectedHeader(after).kid).toBe(kid);
  expect(decodeProtectedHeader(before).kid).not.toBe(kid);
  expect(idsOf(await keysOf(one))).toEqual(
    expect.arrayContaining([kid, decodeProtectedHeader(before).kid]),
  );
  for (const service of [one, other]) {
    for (const token of [before, after]) {
      expect((await findVehicles(service, token)).status).toBe(200);
    }
  }
});

test('after a rotation that drops the old key, its tokens are refused within a second everywhere', async () => {
  const before = [await tokenOf(one), await tokenOf(other)];
  for (const [service, token] of [one, other].flatMap((service) =>
    before.map((token) => [service, token] as const),
  ))
    expect((await findVehicles(service, token)).status).toBe(200);
  const kid = await one.db.transaction((tx) => rotateKey(tx, 'DE-ABC', { dropPrevious: true }));
  advanceOneSecond();
  for (const service of [one, other]) {
    for (const token of before) expect((await findVehicles(service, token)).status).toBe(401);
    expect(idsOf(await keysOf(service))).toEqual([kid]);
    const after = await tokenOf(service);
    expect(decodeProtectedHeader(after).kid).toBe(kid);
    expect((await findVehicles(service, after)).status).toBe(200);
  }
  const stored = await one.db.query(`select kid from realm_keys where provider = 'DE-ABC'`);
  expect(stored).toEqual([{ kid }]);
});

test('a token of the new key works at once in a process that has not heard of it', async () => {
  await keysOf(one);
  await findVehicles(other, await tokenOf(other));
  const kid = await rotate();
  // A process that starts now knows the new key only.
  const fresh = await startTestService({
    database: one.database,
    publicUrl: 'https://fleet.example.com',
  });
  try {
    const token = await tokenOf(fresh);
    expect(decodeProtectedHeader(token).kid).toBe(kid);
    for (const service of [one, other, fresh]) {
      expect((await findVehicles(service, token)).status).toBe(200);
    }
  } finally {
    await fresh.stop();
  }
});

test('an old key is served until its last token has died, and then no longer', async () => {
  const token = await tokenOf(one);
  const old = decodeProtectedHeader(token).kid;
  await rotate();
  const retire = (seconds: number) =>
    one.db.query(
      'update realm_keys set retired_at = now() - make_interval(secs => $2) where kid = $1',
      [old, seconds],
    );
  await retire(299);
  advanceOneSecond();
  expect(idsOf(await keysOf(one))).toContain(old);
  expect((await findVehicles(one, token)).status).toBe(200);
  await retire(600);
  advanceOneSecond();
  expect(idsOf(await keysOf(one))).not.toContain(old);
  expect((await findVehicles(one, token)).status).toBe(401);
  await rotate();
  const stored = await one.db.query('select 1 from realm_keys where kid = $1', [old]);
  expect(stored).toEqual([]);
});

test('where too many tokens were revoked to remember each, all that are as old are refused', async ({
  onTestFinished,
}) => {
  const token = await tokenOf(one);
  const { iat = 0 } = decodeJwt(token);
  const revoked = (seconds: number) =>
    one.db.query(
      `insert into token_revocations (provider, subject, version, revoked_at)
       select 'DE-ABC', 'somebody ' || number, 1, to_timestamp($1) from generate_series(0, 2000) number
       on conflict (provider, subject) do update set revoked_at = excluded.revoked_at`,
      [seconds],
    );
  onTestFinished(async () => {
    await one.db.query(`delete from token_revocations where subject like 'somebody %'`);
  });
  const statuses = () => {
    advanceOneSecond();
    const answers = [one, other].map((service) => findVehicles(service, token));
    return Promise.all(answers.map(async (answer) => (await answer).status));
  };
  await revoked(iat - 30);
  expect(await statuses()).toEqual([200, 200]);
  await revoked(iat);
  expect(await statuses()).toEqual([401, 401]);
  vi.setSystemTime(Date.now() + 20_000);
  expect((await findVehicles(other, await tokenOf(one))).status).toBe(200);
});

test('one key signs at a time, also when two are made at the same moment', async () => {
  const [rotated, hold] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const first = one.db.transaction(async (tx) => {
    await rotateKey(tx, 'DE-ABC');
    rotated.resolve();
    await hold.promise;
  });
  await rotated.promise;
  const second = rotate();
  try {
    await vi.waitFor(async () => expect(await lockWaits(one.db)).toBe(1), 10_000);
  } finally {
    hold.resolve();
    await Promise.all([first, second]);
  }
  expect(await one.db.query(signingKeys)).toHaveLength(1);
});
const signingKeys = "select kid from realm_keys where provider = 'DE-ABC' and retired_at is null";

test('a new provider has its realm in every process at once, for its own clients alone', async () => {
  expect((await requestToken(other.url, 'AT-NEW', testCredentials)).status).toBe(404);
  await one.db.transaction((tx) => addProvider(tx, 'AT-NEW', 'New'));
  const { id, secret = '' } = await addClient(one.db, 'AT-NEW', { name: 'First' });
  const credentials = { clientId: id, clientSecret: secret };
  for (const service of [other, one]) {
    const { status, json } = await requestToken(service.url, 'AT-NEW', credentials);
    expect(status).toBe(200);
    expect((await findVehicles(other, json.access_token, 'AT/NEW')).status).toBe(200);
    expect((await findVehicles(other, json.access_token)).status).toBe(403);
    expect((await requestToken(service.url, 'DE-ABC', credentials)).status).toBe(401);
    expect((await requestToken(service.url, 'AT-NEW', testCredentials)).status).toBe(401);
  }
});

test('realms share no key', async () => {
  const [german, french] = [await keysOf(one), await keysOf(one, 'FR-XYZ')];
  expect(idsOf(german).filter((kid) => idsOf(french).includes(kid))).toEqual([]);
  expect(german.map(({ n }) => n).filter((n) => french.some((key) => key.n === n))).toEqual([]);
});
