import { METHODS } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  type ContractClient,
  contractClient,
  takesJson,
} from '../testing/contract/contract-client.ts';
import { seedContractData } from '../testing/contract/contract-data.ts';
import { requireContract } from '../testing/contract/document.ts';
import { type AnyOperation, providers } from '../testing/contract/requests.ts';
import { loadSeeds } from '../testing/contract/seed.ts';
import { forgedTokens } from '../testing/forged-tokens.ts';
import { startTestService, type TestService } from '../testing/test-service.ts';
import { operations } from './index.ts';

/** Who is let in, and what is refused before an operation begins: the same for all of them. */

let service: TestService;
let client: ContractClient;
let token: string;
let foreignToken: string;
let forged: Record<string, string>;

beforeAll(async () => {
  service = await startTestService();
  const data = await seedContractData(service, await loadSeeds(), providers['DE-ABC']);
  await data.enter('shared');
  client = contractClient(service, data);
  token = await service.token();
  foreignToken = await service.token('FR-XYZ');
  forged = await forgedTokens(service);
});
afterAll(() => service.stop());

const table = operations.map((operation) => ({ name: operation.id, operation }));

function limitOf({ batch, workload }: AnyOperation): number {
  return batch?.maxBytes ?? (workload === 'search' ? 128 : 1024) * 1024;
}

describe.each(table)('$name', ({ operation }) => {
  test('401 without a token, and with every forged one', async () => {
    const missing = await client.send(operation, { headers: { authorization: undefined } });
    expect(missing.status).toBe(401);
    expect(missing.headers['www-authenticate']).toBe('Bearer realm="DE-ABC"');
    for (const [name, forgery] of Object.entries(forged)) {
      const { status, headers } = await client.send(operation, {
        headers: { authorization: `Bearer ${forgery}` },
      });
      expect(status, name).toBe(401);
      expect(headers['www-authenticate'], name).toBe(
        'Bearer realm="DE-ABC", error="invalid_token"',
      );
    }
    for (const authorization of [
      token,
      `Basic ${token}`,
      'Bearer',
      `Bearer ${token} ${token}`,
      `Bearer "${token}"`,
    ]) {
      const { status } = await client.send(operation, { headers: { authorization } });
      expect(status, authorization.slice(0, 20)).toBe(401);
    }
  });

  test('403 with the token of another provider, also for one that does not exist', async () => {
    const headers = { authorization: `Bearer ${foreignToken}` };
    expect((await client.send(operation, { headers })).status).toBe(403);
    for (const assetProviderCode of ['ZZZ', 'abc', '%C3%A4bc']) {
      const path = client.path(operation, { assetProviderCode });
      expect((await client.send(operation, { path })).status).toBe(403);
    }
  });

  test('400 for codes of the wrong length, each of them named', async () => {
    const codes = { assetProviderCountryCode: 'DEU', assetProviderCode: 'AB' };
    const { status, json } = await client.send(operation, { path: client.path(operation, codes) });
    expect(status).toBe(400);
    expect(json.errors.map(({ pointer }: { pointer: string }) => pointer)).toEqual([
      '#assetProviderCountryCode',
      '#assetProviderCode',
    ]);
  });

  test('the checks come in their order', async () => {
    const path = client.path(operation, { assetProviderCode: 'AB' });
    const foreign = { authorization: `Bearer ${foreignToken}` };
    const text = { 'content-type': 'text/plain' };
    const statusOf = async (sent: Parameters<ContractClient['send']>[1]) =>
      (await client.send(operation, sent)).status;
    expect(await statusOf({ path, headers: { authorization: undefined } })).toBe(401);
    expect(await statusOf({ path, headers: foreign })).toBe(400);
    expect(await statusOf({ body: 'x', headers: { ...text, ...foreign } })).toBe(403);
    if (takesJson(operation)) expect(await statusOf({ body: '{', headers: text })).toBe(415);
    if (operation.body && operation.notFound.length > 0) {
      const missing = client.path(operation, { vehicleId: 'DE*ABC*nowhere' });
      expect(await statusOf({ path: missing, body: '{"nonsense":1}' })).toBe(400);
    }
  });

  test.runIf(operation.notFound.length > 0)('404 for what does not exist', async () => {
    const nothing = ['DE*ABC*nowhere', 'FR*XYZ*V0001', '00000000-0000-4000-8000-000000000000'];
    for (const name of Object.keys(operation.parameters).filter((one) => !names(operation, one))) {
      for (const value of nothing) {
        const path = client.path(operation, { [name]: value });
        expect((await client.send(operation, { path })).status).toBe(404);
      }
    }
  });

  test('405 with Allow for every method that its path does not answer', async () => {
    const here = operations
      .filter(({ path }) => path === operation.path)
      .map(({ method }) => method as string);
    const allowed = here.includes('GET') ? [...here, 'HEAD'] : here;
    for (const method of METHODS.filter((one) => one !== 'CONNECT' && !allowed.includes(one))) {
      const answer = await service.send({ method, path: client.path(operation) });
      expect(answer.status, method).toBe(405);
      expect(String(answer.headers.allow).split(', ').sort(), method).toEqual([...allowed].sort());
      requireContract(method, client.path(operation), answer);
    }
  });

  test.runIf(takesJson(operation))(
    '415 for what is not JSON in UTF-8, 413 past its limit',
    async () => {
      for (const type of [
        'text/plain',
        'application/xml',
        'multipart/form-data; boundary=x',
        'application/json; charset=latin1',
        'json',
        '',
      ]) {
        const sent = { body: '{}', headers: { 'content-type': type } };
        expect((await client.send(operation, sent)).status, type).toBe(415);
      }
      const body = ' '.repeat(limitOf(operation) + 1);
      const chunked = { 'transfer-encoding': 'chunked', 'content-length': undefined };
      for (const headers of [{}, chunked]) {
        const { status, json } = await client.send(operation, { body, headers });
        expect(status).toBe(413);
        expect(json.detail).toContain(`${limitOf(operation)} bytes`);
      }
    },
  );
});

/** Whether a parameter is a name that a PUT gives to what it makes. */
function names({ method, path, responses }: AnyOperation, parameter: string): boolean {
  return method === 'PUT' && 201 in responses && path.endsWith(`{${parameter}}`);
}
