import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ContractData, seedContractData } from '../testing/contract/contract-data.ts';
import { sendRequest } from '../testing/contract/observer.ts';
import { providers } from '../testing/contract/requests.ts';
import { loadSeeds } from '../testing/contract/seed.ts';
import { startTestService, type TestService } from '../testing/test-service.ts';
import { operations } from './index.ts';
import { exampleVehicle } from './vehicles/public.ts';

/** Everything that is read with an ETag is 304 while it is the same, in whichever coding it was read. */

let service: TestService;
let data: ContractData;
beforeAll(async () => {
  service = await startTestService();
  data = await seedContractData(service, await loadSeeds(), providers['DE-ABC']);
  await data.enter('alone');
});
afterAll(() => service.stop());

const reads = operations.filter(
  ({ method, responses }) => method === 'GET' && 'ETag' in (responses[200]?.headers ?? {}),
);

test.each(reads.map((operation) => ({ name: operation.id, operation })))(
  '$name',
  async ({ operation }) => {
    const read = (headers: Record<string, string> = {}) =>
      sendRequest(service, data, operation, { headers });
    const plain = await read();
    const etag = String(plain.headers.etag);
    expect(plain.status).toBe(200);
    for (const tags of [`"x", W/${etag}`, '*', etag.replace(/"$/, '.gzip"')]) {
      const same = await read({ 'if-none-match': tags });
      expect([same.status, same.text, same.headers.etag], tags).toEqual([304, '', etag]);
      expect(same.headers).not.toHaveProperty('content-type');
    }
    for (const tags of ['"x"', etag.slice(1, -1)])
      expect((await read({ 'if-none-match': tags })).text).toBe(plain.text);
  },
);

describe('the ETag of a vehicle', () => {
  const path = '/DE*ABC*conditional';
  const read = (headers: Record<string, string> = {}) =>
    service.call('GET', path, undefined, headers);
  const tag = async () => String((await read()).headers.etag);

  test('is another one after telemetry, and still good for If-Match', async () => {
    const made = await service.call('PUT', path, { information: { vendor: 'VW' } });
    const before = await tag();
    expect(made.headers.etag).toBe(before);
    await service.call('PUT', `${path}/status`, {
      timestamp: new Date().toISOString(),
      odometer: 10,
    });
    const after = await read({ 'if-none-match': before });
    expect([after.status, after.json.status.odometer]).toEqual([200, 10]);
    expect(after.headers.etag).not.toBe(before);
    const overwrite = (ifMatch: string) =>
      service.call('PUT', path, { information: { vendor: 'VW' } }, { 'if-match': ifMatch });
    expect((await overwrite(before)).status).toBe(200);
    expect((await overwrite(before.replace(/"$/, '.gzip"'))).status).toBe(200);
  });

  test('names the coding of the answer', async () => {
    const { information } = exampleVehicle;
    const defaultImage = `https://example.com/${'x'.repeat(1_000)}`;
    await service.call('PUT', path, { asset: { defaultImage }, information });
    const plain = await tag();
    const token = await service.token();
    const compressed = await fetch(`${service.url}/api/fleets/v1/DE/ABC${path}`, {
      headers: { authorization: `Bearer ${token}`, 'accept-encoding': 'gzip' },
    });
    expect(compressed.headers.get('content-encoding')).toBe('gzip');
    const etag = String(compressed.headers.get('etag'));
    expect(etag).toBe(plain.replace(/"$/, '.gzip"'));
    expect((await read({ 'if-none-match': etag })).status).toBe(304);
  });
});

test('every 201 has a Location', () => {
  const creating = operations.filter(({ responses }) => 201 in responses);
  expect(creating.length).toBeGreaterThan(10);
  for (const { id, responses } of creating)
    expect(responses[201]?.headers, id).toHaveProperty('Location');
});

test('every PUT that creates takes If-None-Match', () => {
  for (const { id, method, responses, requestHeaders, problems } of operations) {
    if (method !== 'PUT' || !(201 in responses)) continue;
    expect(requestHeaders, id).toHaveProperty('If-None-Match');
    expect(problems, id).toHaveProperty('412');
  }
});
