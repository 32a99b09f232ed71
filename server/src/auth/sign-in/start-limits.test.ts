import { request } from 'node:http';
import {
  afterAll,
  beforeAll,
  beforeEach,
  describe,
  expect,
  onTestFinished,
  test,
  vi,
} from 'vitest';
import { openBrowser } from '../../testing/browser.ts';
import { testUser } from '../../testing/global-setup.ts';
import { createSignIns, type SignIns } from '../../testing/sign-in.ts';
import { startTestService, type TestService } from '../../testing/test-service.ts';
import { removeExpiredRecords } from '../oidc-adapter.ts';
import { addUser } from '../users.ts';
import { createStartLimits } from './start-limits.ts';

let service: TestService;
let signIns: SignIns;

// A minute of the limits may not pass within a test, however slow the machine.
beforeAll(async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  service = await startTestService({ trustProxy: 1 });
  signIns = await createSignIns(service);
});
afterAll(async () => {
  vi.useRealTimers();
  await service.stop();
});
beforeEach(() => service.db.query('delete from oidc_records'));

const records = () =>
  service.db.query<{ kind: string; seconds: number }>(
    `select kind, extract(epoch from expires_at - now())::int as seconds from oidc_records order by kind`,
  );
const logout = '/realms/DE-ABC/protocol/openid-connect/logout';
const long = 'x'.repeat(15_000);

describe('a request that begins a sign-in or a sign-out', () => {
  test('is refused with more than 4 kB in its query, and leaves nothing behind', async () => {
    for (const url of [signIns.start({ state: long }), `${service.url}${logout}?state=${long}`]) {
      const page = await openBrowser(service.url).visit(url);
      expect(page.status).toBe(414);
      expect(page.text).toContain('That did not work');
    }
    expect(await records()).toEqual([]);
  });

  test('is found by no other spelling of its path', async () => {
    const path = signIns.start().replace(service.url, '');
    for (const other of [
      path.replace('/auth?', '/auth/?'),
      path.replace('/auth?', '/auth%2F?'),
      path.replace('/auth?', '//auth?'),
    ])
      expect((await service.send({ path: other })).status, other).toBe(404);
    expect(await records()).toEqual([]);
    const encoded = logout.replace('logout', 'c%65rts');
    expect((await service.send({ path: encoded })).json).toHaveProperty('keys');
  });

  test('is refused with more than 4 kB in its body, or without its length', async () => {
    const [path = '', query = ''] = signIns
      .start({ state: long })
      .replace(service.url, '')
      .split('?');
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    for (const [url, body] of [
      [path, query],
      [logout, `state=${long}`],
      [`${logout}/confirm`, `xsrf=${long}`],
    ] as const) {
      const { status } = await service.send({ method: 'POST', path: url, headers, body });
      expect(status).toBe(413);
    }
    const chunked = new Promise((resolve, reject) => {
      const outgoing = request(service.url + path, { method: 'POST', headers }, (incoming) => {
        incoming.resume();
        resolve(incoming.statusCode);
      });
      outgoing.on('error', reject);
      outgoing.write('client_id=x');
      outgoing.end();
    });
    expect(await chunked).toBe(411);
    expect(await records()).toEqual([]);
  });

  test('is kept for ten minutes at most', async () => {
    await openBrowser(service.url).visit(signIns.start());
    await openBrowser(service.url).visit(service.url + logout);
    const kept = await records();
    expect(kept.map(({ kind }) => kind)).toContain('Interaction');
    for (const { seconds } of kept) expect(seconds).toBeLessThanOrEqual(600);
  });

  test('of one address is refused from the 301st in a minute on, but for a known device', async () => {
    const from = '2001:db8:a::1';
    const { browser, login } = await signIns.open(from);
    await browser.submit(login, testUser);
    const start = (address: string) =>
      service.send({
        path: signIns.start().replace(service.url, ''),
        headers: { 'x-forwarded-for': address },
      });
    const statuses = [];
    for (let index = 1; index <= 30; index++) {
      const answers = Array.from({ length: 10 }, (_, one) => start(`2001:db8:a::${index}:${one}`));
      statuses.push(...(await Promise.all(answers)).map(({ status }) => status));
    }
    expect(statuses.filter((status) => status === 303).length).toBeGreaterThan(250);
    const stored = (await records()).length;
    const refused = await start(from);
    expect(refused.status).toBe(429);
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    expect(refused.text).toContain('That did not work');
    expect((await records()).length).toBe(stored);
    expect((await start('2001:db8:b::1')).status).toBe(303);
    const resumed = await service.send({
      path: logout.replace('logout', 'auth/anything'),
      headers: { 'x-forwarded-for': from },
    });
    expect(resumed.status).toBe(429);
    const again = await browser.visit(signIns.start({ prompt: 'login' }));
    expect(again.text).toContain('<h1>Sign in</h1>');
  });
});

describe('a device that is known', () => {
  const username = 'returning';
  const password = 'nine otters cross the river';
  let cookie: string;
  const start = async (address: string, device: string) => {
    const path = signIns.start({ prompt: 'login' }).replace(service.url, '');
    const headers = { 'x-forwarded-for': address, cookie: device };
    return (await service.send({ path, headers })).status;
  };
  /** The cookie of a device from which the user has signed in. */
  const signIn = async (from: string) => {
    const { browser, login } = await signIns.open(from);
    await browser.submit(login, { username, password });
    const device = browser.cookies().find(({ name }) => name.startsWith('device_'));
    return `${device?.name}=${device?.value}`;
  };
  const startMany = async (address: string, device: string, count: number) => {
    const statuses: number[] = [];
    for (let begun = 0; begun < count; begun += 10) {
      const batch = Array.from({ length: 10 }, () => start(address, device));
      statuses.push(...(await Promise.all(batch)));
    }
    return statuses.filter((status) => status === 303).length;
  };
  beforeAll(async () => {
    await addUser(service.db, 'DE-ABC', username, password);
    cookie = await signIn('2001:db8:c::1');
  });

  test('is a stranger from the 301st start in a minute on', async () => {
    // One was used to sign in.
    expect(await startMany('2001:db8:d::1', cookie, 610)).toBe(299 + 300);
    expect(await start('2001:db8:e::1', cookie)).toBe(303);
  });

  test('of before a change of its user counts apart', async () => {
    await service.db.query('update users set version = version + 1 where username = $1', [
      username,
    ]);
    const current = await signIn('2001:db8:c::1');
    expect(await start('2001:db8:d::1', cookie)).toBe(429);
    expect(await start('2001:db8:d::1', current)).toBe(303);
  });
});

test('addresses that begin many have 1,500 in a minute together, others 10 each up to 6,000, and a known device 300 on top', () => {
  const limits = createStartLimits();
  const begins = (network: string, times: number) =>
    Array.from({ length: times }, () => limits.begin(network)).filter((wait) => wait === 0).length;
  for (const last of [1, 2, 3, 4, 5]) expect(begins(`10.0.0.${last}`, 301)).toBe(300);
  expect(begins('10.1.0.1', 20)).toBe(10);
  // One subscriber.
  expect(begins('2001:db8:a:1::/64', 20)).toBe(10);
  expect(begins('2001:db8:a:2::/64', 20)).toBe(0);
  for (let index = 0; index < 448; index++) expect(begins(`10.2.0.${index}`, 10)).toBe(10);
  expect(limits.begin('10.3.0.1')).toBeGreaterThan(0);
  const known = (user: string) => limits.beginKnown('10.0.0.1', 'DE-ABC', user);
  for (let index = 0; index < 300; index++) expect(known('a user')).toBe(0);
  expect(known('a user')).toBeGreaterThan(0);
  expect(known('another')).toBe(0);
});

test('users of known devices have 3,000 in a minute and realm together, and then those of their network', () => {
  const limits = createStartLimits();
  const begin = (realm: string, user: number, network = '10.0.0.1') =>
    limits.beginKnown(network, realm, `user ${user}`);
  for (let user = 0; user < 3_300; user++) expect(begin('DE-ABC', user)).toBe(0);
  expect(begin('DE-ABC', 3_300)).toBeGreaterThan(0);
  expect(begin('DE-ABC', 3_300, '10.0.0.2')).toBe(0);
  expect(begin('FR-XYZ', 0)).toBe(0);
});

const removeExpired = () => removeExpiredRecords.run({}, { ...service, jobs: undefined as never });

test('what has expired is deleted every few minutes', async () => {
  expect(removeExpiredRecords.cron).toBe('*/5 * * * *');
  await openBrowser(service.url).visit(signIns.start());
  await service.db.query('update oidc_records set expires_at = now()');
  await service.db.query(
    `insert into sign_in_failures (provider, target, failures, failed_at, blocked_until) values
     ('DE-ABC', 'old', 9, now() - interval '25 hours', now() - interval '25 hours'),
     ('DE-ABC', 'new', 9, now() - interval '1 hour', now())`,
  );
  await removeExpired();
  expect(await records()).toEqual([]);
  const failures = await service.db.query(
    'select convert_from(target, $1) as target from sign_in_failures',
    ['UTF8'],
  );
  expect(failures).toEqual([{ target: 'new' }]);
});

test('what has expired is deleted in batches, also where some of it cannot be', async () => {
  // The rows are deleted as they lie, which is as they are inserted where none was before.
  await service.owner.query('truncate oidc_records');
  await service.db.query(
    `insert into oidc_records (provider, kind, id, payload, expires_at)
     select provider, 'Interaction', number, '{}', now()
     from unnest(array['DE-ABC', 'FR-XYZ']) provider, generate_series(1, 1200) number`,
  );
  await service.db.query(
    `insert into oidc_records (provider, kind, id, payload, expires_at)
     values ('FR-XYZ', 'Interaction', 'refused', '{}', now())`,
  );
  await service.db.query(
    `insert into sign_in_failures (provider, target, failures, failed_at, blocked_until)
     select 'DE-ABC', convert_to(number::text, 'UTF8'), 1, now() - interval '25 hours', now()
     from generate_series(1, 1200) number`,
  );
  await service.owner.query(
    `create function refuse() returns trigger language plpgsql as $$ begin raise 'refused'; end $$`,
  );
  await service.owner.query(
    `create trigger refuse before delete on oidc_records for each row
     when (old.id = 'refused') execute function refuse()`,
  );
  const counts = async () => {
    const [row] = await service.db.query(
      `select (select count(*)::int from oidc_records) as records,
         (select count(*)::int from sign_in_failures where target <> 'new') as failures`,
    );
    return row;
  };
  await expect(removeExpired()).rejects.toMatchObject({ errors: [{ message: 'refused' }] });
  // All batches before the one that failed are gone, and so is what comes after the records.
  expect(await counts()).toEqual({ records: 401, failures: 0 });
  await service.owner.query('drop trigger refuse on oidc_records');
  await removeExpired();
  expect(await counts()).toEqual({ records: 0, failures: 0 });
});

test('of a realm that does not exist, a login form leaves nothing in the memory of the database', async () => {
  const asked = vi.spyOn(service.db.forTenant('authorization', 'internal'), 'forTenant');
  onTestFinished(() => asked.mockRestore());
  for (const realm of ['DE-ABC', 'DE-ZZZ', long])
    await service.send({
      method: 'POST',
      path: `/realms/${realm}/login/none`,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: 'username=anybody&password=guess',
    });
  const tenants = asked.mock.calls.map(([name]) => name);
  expect(tenants).toContain('authorization DE-ABC');
  expect(tenants).not.toContain('authorization DE-ZZZ');
  expect(tenants).not.toContain(`authorization ${long}`);
});
