import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { testCredentials } from '../../server/src/testing/global-setup.ts';
import { startTestService, type TestService } from '../../server/src/testing/test-service.ts';
import { ConnectionError, Motorpool } from './index.ts';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
  await service.call('PUT', '/DE*ABC*RETRY', { information: {} });
});
afterAll(() => service.stop());

type Fault = (send: () => Promise<Response>) => Promise<Response>;

const unreached: Fault = async () => {
  throw new TypeError('fetch failed');
};
/** The service does what is asked of it, and its answer is lost. */
const answerLost: Fault = async (send) => {
  await send();
  throw new TypeError('fetch failed');
};
const refusal = (status: number, headers = {}): Fault => {
  return async () => new Response('{"title":"Busy"}', { status, headers });
};

/** A client whose requests meet faults, one after the other. */
function clientWith(...faults: Fault[]) {
  const sent: string[] = [];
  const client = new Motorpool({
    baseUrl: service.url,
    provider: 'DE/ABC',
    ...testCredentials,
    fetch: (input, init) => {
      if (String(input).includes('/realms/')) return fetch(input, init);
      sent.push(`${init?.method}`);
      const fault = faults.shift();
      return fault ? fault(() => fetch(input, init)) : fetch(input, init);
    },
  });
  return { client, sent };
}

test('what may be repeated is repeated until it succeeds', async () => {
  const { client, sent } = clientWith(unreached, refusal(503, { 'retry-after': '0' }), answerLost);
  expect((await client.vehicles.get('DE*ABC*RETRY')).asset.id).toBe('DE*ABC*RETRY');
  expect(sent).toHaveLength(4);
});

test('searches are repeated, though they are sent by POST', async () => {
  const { client, sent } = clientWith(refusal(429, { 'retry-after': '0' }));
  expect((await client.vehicles.find().page()).items).toHaveLength(1);
  expect(sent).toHaveLength(2);
});

test('gives up after some tries, with what went wrong', async () => {
  const { client, sent } = clientWith(unreached, unreached, unreached, unreached);
  const error = await client.vehicles.get('DE*ABC*RETRY').catch((error) => error);
  expect(error).toBeInstanceOf(ConnectionError);
  expect(error.message).toContain('/api/fleets/v1/DE/ABC/DE*ABC*RETRY');
  expect(error.cause).toEqual(new TypeError('fetch failed'));
  expect(sent).toHaveLength(4);
});

test('a longer pause than a minute is left to the caller', async () => {
  const { client, sent } = clientWith(refusal(429, { 'retry-after': '3600' }));
  await expect(client.vehicles.get('DE*ABC*RETRY')).rejects.toMatchObject({ status: 429 });
  expect(sent).toHaveLength(1);
});

test('a deletion whose answer was lost is done', async () => {
  await service.call('PUT', '/DE*ABC*GONE', { information: {} });
  const { client, sent } = clientWith(answerLost);
  await client.vehicles.delete('DE*ABC*GONE');
  expect(sent).toEqual(['DELETE', 'DELETE']);
  await expect(client.vehicles.delete('DE*ABC*GONE')).rejects.toMatchObject({ status: 404 });
});

test('a deletion that was only refused before finds that there is nothing to delete', async () => {
  const { client, sent } = clientWith(refusal(429, { 'retry-after': '0' }));
  await expect(client.vehicles.delete('DE*ABC*NEVER')).rejects.toMatchObject({ status: 404 });
  expect(sent).toEqual(['DELETE', 'DELETE']);
});

test('what is created is created once, also when its answer was lost', async () => {
  const { client, sent } = clientWith(answerLost, answerLost);
  const entry = { title: 'Once', vehicleOperable: true, isResolved: false };
  const { id } = await client.incidents.create('DE*ABC*RETRY', entry);
  expect(sent).toEqual(['POST', 'POST', 'POST']);
  const filters = [{ field: 'title', value: 'Once' }];
  const found = await client.incidents.find('DE*ABC*RETRY', { filters }).toArray();
  expect(found.map((incident) => incident.id)).toEqual([id]);
});

test('a creation that is still being processed is waited for', async () => {
  const { client, sent } = clientWith(refusal(409, { 'retry-after': '0' }), refusal(409));
  const entry = { title: 'Waited for', vehicleOperable: true, isResolved: false };
  await expect(client.incidents.create('DE*ABC*RETRY', entry)).rejects.toMatchObject({
    status: 409,
  });
  expect(sent).toEqual(['POST', 'POST']);
});

test('a conditional write is not repeated when it may have been done', async () => {
  const { client, sent } = clientWith(answerLost);
  const vehicle = { information: {} };
  await expect(
    client.vehicles.put('DE*ABC*ONCE', vehicle, { ifNoneMatch: '*' }),
  ).rejects.toBeInstanceOf(ConnectionError);
  expect(sent).toEqual(['PUT']);
});

test('an upload from a stream is not repeated, one from memory is', async () => {
  const draft = { filename: 'photo.jpg' };
  const entry = { title: 'Scratch', vehicleOperable: true, isResolved: false };
  const { json } = await service.call('POST', '/DE*ABC*RETRY/incidents', entry);
  const { incidents } = clientWith().client;
  const { uuid } = await incidents.announceFile('DE*ABC*RETRY', json.id, draft);
  const streaming = clientWith(unreached);
  await expect(
    streaming.client.incidents.uploadFile('DE*ABC*RETRY', json.id, uuid, new Blob(['x']).stream()),
  ).rejects.toBeInstanceOf(ConnectionError);
  expect(streaming.sent).toHaveLength(1);
  const buffered = clientWith(unreached);
  expect(
    await buffered.client.incidents.uploadFile('DE*ABC*RETRY', json.id, uuid, 'bytes'),
  ).toMatchObject({ uploaded: true });
  expect(buffered.sent).toHaveLength(2);
});

test.each([301, 302, 307, 308])(
  'a redirect (%i) is not followed: neither secret nor record goes elsewhere',
  async (status) => {
    const reached: string[] = [];
    const elsewhere = createServer((request, response) => {
      reached.push(request.url ?? '');
      response.end('{"access_token":"x","expires_in":60}');
    }).listen(0, '127.0.0.1');
    await once(elsewhere, 'listening');
    const { port } = elsewhere.address() as AddressInfo;
    const redirects = createServer((request, response) => {
      const isToken = request.url?.startsWith('/realms/') && isTokenAnswered;
      if (isToken) response.end('{"access_token":"x","expires_in":60}');
      else response.writeHead(status, { location: `http://127.0.0.1:${port}/` }).end();
    }).listen(0, '127.0.0.1');
    await once(redirects, 'listening');
    const baseUrl = `http://127.0.0.1:${(redirects.address() as AddressInfo).port}`;
    const connect = () => new Motorpool({ baseUrl, provider: 'DE/ABC', ...testCredentials });
    let isTokenAnswered = false;
    await expect(connect().vehicles.get('DE*ABC*RETRY')).rejects.toMatchObject({ status });
    isTokenAnswered = true;
    await expect(connect().vehicles.put('DE*ABC*RETRY', { information: {} })).rejects.toMatchObject(
      { status },
    );
    expect(reached).toEqual([]);
    redirects.close();
    elsewhere.close();
  },
);
