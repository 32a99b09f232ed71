import { decodeJwt } from 'jose';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { requestToken, startTestService, type TestService } from '../testing/test-service.ts';
import { addClient, removeClient, rotateClient, setClientDisabled } from './clients.ts';
import { rotateKey } from './keys.ts';
import { addProvider, disableProvider } from './providers.ts';
import { createTokenCache } from './token-cache.ts';

let service: TestService;

beforeAll(async () => {
  service = await startTestService();
});
afterAll(async () => {
  vi.useRealTimers();
  await service.stop();
});

/** The clock is frozen otherwise, so that what is cached for a second stays cached. */
function advanceOneSecond(): void {
  vi.setSystemTime(Date.now() + 1_000);
}
beforeEach(advanceOneSecond);

type Client = { clientId: string; clientSecret: string };

async function newClient(provider = 'DE-ABC'): Promise<Client> {
  const { id, secret = '' } = await addClient(service.db, provider, { name: 'A machine' });
  return { clientId: id, clientSecret: secret };
}

async function newProvider(id: string): Promise<Client> {
  await service.db.transaction((tx) => addProvider(tx, id, 'A provider'));
  return newClient(id);
}

async function tokenOf(client: Client, { realm = 'DE-ABC', at = service } = {}): Promise<string> {
  const { status, json } = await requestToken(at.url, realm, client);
  expect(status).toBe(200);
  return json.access_token;
}

function sendForm(form: Record<string, string>, headers: Record<string, string> = {}) {
  return service.send({
    method: 'POST',
    path: '/realms/DE-ABC/protocol/openid-connect/token',
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
    body: new URLSearchParams({ grant_type: 'client_credentials', ...form }).toString(),
  });
}

describe('who asks again within the second', () => {
  test('is answered the same, however the credentials are sent', async () => {
    const { clientId, clientSecret } = await newClient();
    const form = { client_id: clientId, client_secret: clientSecret };
    const first = await sendForm(form);
    const again = await sendForm(form);
    const basic = await sendForm(
      {},
      { authorization: `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}` },
    );
    expect(first.json.expires_in).toBe(300);
    expect(again.json).toEqual(first.json);
    expect(basic.json).toEqual(first.json);
    const named = ({ 'x-request-id': _, date: __, ...headers }: Record<string, unknown>) => headers;
    expect(named(again.headers)).toEqual(named(first.headers));
  });

  test('gets the one token that is being signed, when all ask at once', async () => {
    const client = await newClient();
    const tokens = await Promise.all(Array.from({ length: 20 }, () => tokenOf(client)));
    expect(new Set(tokens).size).toBe(1);
  });

  test('gets a new one in the next second, from then on', async () => {
    const client = await newClient();
    const first = decodeJwt(await tokenOf(client));
    advanceOneSecond();
    const second = decodeJwt(await tokenOf(client));
    expect(second.iat).toBe((first.iat ?? 0) + 1);
    expect(second.exp).toBe((first.exp ?? 0) + 1);
    expect(second.jti).not.toBe(first.jti);
  });

  test('gets one of its own for another client, another scope and another realm', async () => {
    const client = await newClient();
    const form = { client_id: client.clientId, client_secret: client.clientSecret };
    const elsewhere = await newProvider('DE-TWO');
    const tokens = [
      await tokenOf(client),
      await tokenOf(await newClient()),
      (await sendForm({ ...form, scope: 'openid' })).json.access_token,
      (await sendForm({ ...form, scope: 'openid profile' })).json.access_token,
      await tokenOf(elsewhere, { realm: 'DE-TWO' }),
    ];
    expect(new Set(tokens).size).toBe(tokens.length);
  });

  test('is refused with a wrong secret, and answered with the right one all the same', async () => {
    const client = await newClient();
    const token = await tokenOf(client);
    const wrong = { ...client, clientSecret: 'wrong' };
    expect((await requestToken(service.url, 'DE-ABC', wrong)).status).toBe(401);
    expect(await tokenOf(client)).toBe(token);
  });
});

test('whoever has revoked a token gets another one at once, and goes on getting that', async () => {
  const client = await newClient();
  const token = await tokenOf(client);
  const { status } = await service.send({
    method: 'POST',
    path: '/realms/DE-ABC/protocol/openid-connect/revoke',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({
      token,
      client_id: client.clientId,
      client_secret: client.clientSecret,
    }).toString(),
  });
  expect(status).toBe(200);
  const next = await tokenOf(client);
  expect(next).not.toBe(token);
  expect(await tokenOf(client)).toBe(next);
  const headers = { authorization: `Bearer ${next}` };
  expect((await service.call('GET', '/profile', undefined, headers)).status).toBe(200);
});

describe('nothing is answered from memory, on any process,', () => {
  let other: TestService;

  beforeAll(async () => {
    other = await startTestService({ database: service.database });
  });
  afterAll(() => other.stop());

  test.each([
    ['disabled', ({ clientId }: Client) => setClientDisabled(service.db, 'DE-ABC', clientId, true)],
    ['removed', ({ clientId }: Client) => removeClient(service.db, 'DE-ABC', clientId)],
  ])('to a client that was %s', async (_, take) => {
    const client = await newClient();
    await tokenOf(client, { at: other });
    await take(client);
    expect((await requestToken(other.url, 'DE-ABC', client)).status).toBe(401);
  });

  test('to an old secret, nor to the new one what the old one got', async () => {
    const old = await newClient();
    const token = await tokenOf(old, { at: other });
    const rotated = await rotateClient(service.db, 'DE-ABC', old.clientId, 0);
    expect((await requestToken(other.url, 'DE-ABC', old)).status).toBe(401);
    expect(await tokenOf({ ...old, clientSecret: rotated?.secret ?? '' }, { at: other })).not.toBe(
      token,
    );
  });

  test('after the key was rotated', async () => {
    const client = await newProvider('DE-KEY');
    const target = { realm: 'DE-KEY', at: other };
    const token = await tokenOf(client, target);
    await service.db.transaction((tx) => rotateKey(tx, 'DE-KEY'));
    const next = await tokenOf(client, target);
    expect(next).not.toBe(token);
    expect(await tokenOf(client, target)).not.toBe(next);
  });

  test('after the provider was disabled', async () => {
    const client = await newProvider('DE-END');
    const target = { realm: 'DE-END', at: other };
    const token = await tokenOf(client, target);
    await disableProvider(service.db, 'DE-END');
    // The realm is cached for a second: docs/decisions/0005-realms.md.
    expect(await tokenOf(client, target)).not.toBe(token);
    advanceOneSecond();
    expect((await requestToken(other.url, 'DE-END', client)).status).toBe(404);
  });
});

describe('the memory', () => {
  test('does not keep what failed', async () => {
    const tokens = createTokenCache();
    const failing = () => Promise.reject(new Error('no key'));
    await expect(tokens.getOrIssue(['a'], failing)).rejects.toThrow('no key');
    expect(await tokens.getOrIssue(['a'], async () => 'token')).toBe('token');
  });

  test('is bounded, and goes on when it is full', async () => {
    const tokens = createTokenCache();
    const issue = vi.fn(async () => 'token');
    for (let client = 0; client < 10_001; client++) await tokens.getOrIssue([client], issue);
    expect(issue).toHaveBeenCalledTimes(10_001);
    await tokens.getOrIssue([10_000], issue);
    expect(issue).toHaveBeenCalledTimes(10_001);
    await tokens.getOrIssue([0], issue);
    expect(issue).toHaveBeenCalledTimes(10_002);
  });
});
