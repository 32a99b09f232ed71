import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { testCredentials } from '../../server/src/testing/global-setup.ts';
import { startTestService, type TestService } from '../../server/src/testing/test-service.ts';
import { eTagOf, Motorpool, type MotorpoolOptions, ProblemError, TokenError } from './index.ts';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
  await Promise.all(
    Array.from({ length: 5 }, (_, index) =>
      fleet().vehicles.put(`DE*ABC*SDK${index}`, { information: { model: `Model ${index}` } }),
    ),
  );
});
afterAll(() => service.stop());

const fleet = (options: Partial<MotorpoolOptions> = {}) =>
  new Motorpool({
    baseUrl: service.url,
    provider: 'DE/ABC',
    ...testCredentials,
    ...options,
  } as never);

/** The global `fetch`, with the requests it has sent. */
function recordingFetch() {
  const requests: string[] = [];
  const send: typeof fetch = (input, init) => {
    requests.push(`${init?.method} ${new URL(String(input)).pathname}`);
    return fetch(input, init);
  };
  return { requests, fetch: send };
}

const tokenRequest = 'POST /realms/DE-ABC/protocol/openid-connect/token';

test('one token serves many calls at once', async () => {
  const { requests, fetch } = recordingFetch();
  const { vehicles } = fleet({ fetch });
  const found = await Promise.all(
    Array.from({ length: 10 }, (_, index) => vehicles.get(`DE*ABC*SDK${index % 5}`)),
  );
  expect(found[6]?.information.model).toBe('Model 1');
  expect(requests.filter((request) => request === tokenRequest)).toHaveLength(1);
  expect(requests).toHaveLength(11);
});

test('iterates over all pages, and asks only for those that are read', async () => {
  const { requests, fetch } = recordingFetch();
  const { vehicles } = fleet({ fetch });
  const search = { filters: [{ field: 'asset.id', operator: 'startsWith', value: 'DE*ABC*SDK' }] };
  const results = vehicles.find({ ...search, pagination: { pageSize: 2 } } as never);
  const ids: (string | undefined)[] = [];
  for await (const { asset } of results) ids.push(asset.id);
  expect(ids).toEqual([0, 1, 2, 3, 4].map((index) => `DE*ABC*SDK${index}`));
  expect(requests).toHaveLength(1 + 3);
  for await (const { asset } of results) {
    expect(asset.id).toBe('DE*ABC*SDK0');
    break;
  }
  expect(requests).toHaveLength(1 + 3 + 1);
  expect(await results.page()).toMatchObject({
    items: [{ asset: { id: 'DE*ABC*SDK0' } }, { asset: { id: 'DE*ABC*SDK1' } }],
    pagination: { pageNumber: 0, pageSize: 2, totalEntries: 5 },
  });
  expect(await vehicles.find(search as never).toArray()).toHaveLength(5);
});

test('overwrites only the version that was read, and says of the other what is wrong', async () => {
  const { vehicles } = fleet();
  const id = 'DE*ABC*VERSIONED';
  await vehicles.put(id, { information: { model: 'Golf' } });
  const read = await vehicles.get(id);
  const ifMatch = eTagOf(read);
  expect(ifMatch).toMatch(/^"/);
  await vehicles.put(id, { ...read, information: { model: 'Polo' } }, { ifMatch });
  const error = await vehicles.put(id, { information: {} }, { ifMatch }).catch((error) => error);
  expect(error).toBeInstanceOf(ProblemError);
  expect(error).toMatchObject({
    status: 412,
    kind: 'changed-meanwhile',
    requestId: expect.stringMatching(/./),
  });
  expect((await fetch(error.type)).status).toBe(200);
  expect((await vehicles.get(id)).information.model).toBe('Polo');
});

test('overwrites what was read through a proxy that weakens ETags', async () => {
  const weakening: typeof fetch = async (input, init) => {
    const response = await fetch(input, init);
    const eTag = response.headers.get('etag');
    if (eTag === null) return response;
    const { body, status } = response;
    return new Response(body, { status, headers: { etag: `W/${eTag}` } });
  };
  const { vehicles } = fleet({ fetch: weakening });
  const id = 'DE*ABC*WEAKENED';
  await vehicles.put(id, { information: { model: 'Golf' } });
  const ifMatch = eTagOf(await vehicles.get(id));
  await vehicles.put(id, { information: { model: 'Polo' } }, { ifMatch });
  const again = vehicles.put(id, { information: { model: 'Up' } }, { ifMatch });
  await expect(again).rejects.toMatchObject({ status: 412 });
});

test('the message of an error names the request, without its query', async () => {
  const missing = fleet().vehicles.get('DE*ABC*NONE');
  await expect(missing).rejects.toThrow(/^GET \/DE\*ABC\*NONE: 404 No such vehicle/);
  const refused = fleet().vehicles.getImage('DE*ABC*SDK0', { width: 77 as never });
  await expect(refused).rejects.toThrow(/^GET \/DE\*ABC\*SDK0\/image: 400 /);
  await expect(refused).rejects.not.toThrow('77');
});

test('a refused value is named by its pointer', async () => {
  const body = { information: { seats: 'five' } } as never;
  const error = await fleet()
    .vehicles.put('DE*ABC*SDK0', body)
    .catch((error) => error);
  expect(error).toBeInstanceOf(ProblemError);
  expect(error).toMatchObject({ status: 400, errors: [{ pointer: '/information/seats' }] });
  expect(error.message).toContain('/information/seats');
});

test('a wrong secret is an error of the authorization server', async () => {
  const error = await fleet({ clientSecret: 'wrong' } as never)
    .vehicles.get('DE*ABC*SDK0')
    .catch((error) => error);
  expect(error).toBeInstanceOf(TokenError);
  expect(error).toMatchObject({ status: 401, error: 'invalid_client' });
});

test('an address that issues no tokens is named', async () => {
  const failure = (authUrl: string) =>
    fleet({ authUrl } as never)
      .vehicles.get('DE*ABC*SDK0')
      .catch((error) => error);
  const elsewhere = `${service.url}/elsewhere`;
  expect(await failure(elsewhere)).toMatchObject({
    name: 'TokenError',
    status: 404,
    message: `No token: 404 server_error: ${elsewhere}/realms/DE-ABC/protocol/openid-connect/token is no token endpoint of a realm`,
  });
  const page = createServer((_, response) => response.end('<!doctype html>')).listen(
    0,
    '127.0.0.1',
  );
  await once(page, 'listening');
  const origin = `http://127.0.0.1:${(page.address() as AddressInfo).port}`;
  expect(await failure(origin)).toMatchObject({
    name: 'TokenError',
    status: 200,
    message: expect.stringContaining('answered without a token'),
  });
  page.close();
});

test('files are streamed up and down', async () => {
  const { incidents } = fleet();
  const vehicleId = 'DE*ABC*SDK0';
  const incident = { title: 'Collision', vehicleOperable: true, isResolved: false };
  const { id = '' } = await incidents.create(vehicleId, incident);
  const bytes = new TextEncoder().encode('a photograph '.repeat(20_000));
  const stream = new ReadableStream<Uint8Array>({
    start(controller) {
      for (let at = 0; at < bytes.length; at += 10_000)
        controller.enqueue(bytes.subarray(at, at + 10_000));
      controller.close();
    },
  });
  const file = { filename: 'photo.jpg', contentType: 'image/jpeg' };
  const blob = await incidents.addFile(vehicleId, id, file, stream);
  expect(blob).toMatchObject({ filename: 'photo.jpg', uploaded: true });
  const download = await incidents.downloadFile(vehicleId, id, blob.uuid);
  expect(download.headers.get('content-type')).toBe('image/jpeg');
  expect(new Uint8Array(await download.arrayBuffer())).toEqual(bytes);
  const part = await incidents.downloadFile(vehicleId, id, blob.uuid, { range: 'bytes=2-11' });
  expect(await part.text()).toBe('photograph');
  await incidents.removeFile(vehicleId, id, blob.uuid);
  await expect(incidents.downloadFile(vehicleId, id, blob.uuid)).rejects.toMatchObject({
    status: 404,
  });
});

test('an aborted call ends with the reason of its signal', async () => {
  const controller = new AbortController();
  const { vehicles } = fleet({
    fetch: (input, init) => {
      if (String(input).includes('/vehicles')) controller.abort(new Error('no longer needed'));
      return fetch(input, init);
    },
  });
  await expect(vehicles.find({}, { signal: controller.signal }).page()).rejects.toThrow(
    'no longer needed',
  );
});

test('a token can come from elsewhere, and an expired one is asked for again', async () => {
  const token = await service.token();
  const tokens = ['expired', token, token];
  const { vehicles } = fleet({ token: () => tokens.shift() ?? '' } as never);
  expect((await vehicles.get('DE*ABC*SDK1')).information.model).toBe('Model 1');
  expect((await vehicles.get('DE*ABC*SDK2')).information.model).toBe('Model 2');
  expect(tokens).toEqual([]);
});

test.each([
  [{ provider: 'DE-ABC' }, 'provider is "DE-ABC", and has to be like "DE/ABC"'],
  [{ baseUrl: 'localhost:8080' }, '"localhost:8080" is no http or https address'],
])('the mistake in %o is named', (options, message) => {
  expect(() => fleet(options)).toThrow(message);
});

test('an id cannot leave its place in the path', async () => {
  const { vehicles } = fleet();
  expect(() => vehicles.get('..')).toThrow('".." cannot be part of the path');
  await expect(vehicles.get('a/../../profile?x=#y')).rejects.toMatchObject({ status: 404 });
});
