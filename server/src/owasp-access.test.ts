import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { addClient } from './auth/clients.ts';
import { operations } from './fleet/index.ts';
import type { Role } from './platform/http/principal.ts';
import {
  type ContractClient,
  contractClient,
  exampleOf,
} from './testing/contract/contract-client.ts';
import { type ContractData, seedContractData } from './testing/contract/contract-data.ts';
import { type AnyOperation, providers } from './testing/contract/requests.ts';
import { loadSeeds } from './testing/contract/seed.ts';
import {
  documentedOperations,
  resolve,
  type Schema,
  schemasWithin,
  searchFieldsOf,
} from './testing/fuzz/documented-operations.ts';
import { giveUpJob } from './testing/give-up-job.ts';
import { requestToken, startTestService, type TestService } from './testing/test-service.ts';

/**
 * OWASP API Security Top 10 of 2023, items 1 and 5: whose records, and which functions. Ids of others in paths, and every
 * operation with every role, are in fleet/contract-isolation.test.ts and fleet/contract-roles.test.ts.
 */

let service: TestService;
let data: ContractData;
let client: ContractClient;

beforeAll(async () => {
  service = await startTestService();
  data = await seedContractData(service, await loadSeeds(), providers['DE-ABC']);
  client = contractClient(service, data);
  // No operation makes these.
  for (const [provider, { vehicleId }] of [
    ['DE-ABC', data.values],
    ['FR-XYZ', data.foreign[1]],
  ] as const)
    await giveUpJob(service.db, randomUUID(), 'estimate-inspection', { provider, vehicleId });
  await data.enter('shared');
});
afterAll(() => service.stop());

const documented = new Map(documentedOperations.map((operation) => [operation.id, operation]));
const jsonSchemaOf = ({ id }: AnyOperation) =>
  documented.get(id)?.content['application/json']?.schema;
const named = (list: readonly AnyOperation[]) =>
  list.map((operation) => ({ name: operation.id, operation }));

describe('API1: object level authorization', () => {
  const takingIds = operations.filter((operation) => idsIn(operation).length > 0);

  /** The properties of its body that name a record of a seed. */
  function idsIn(operation: AnyOperation): string[] {
    const schema = jsonSchemaOf(operation);
    if (!schema || !exampleOf(operation)) return [];
    return schemasWithin(schema).flatMap(({ at, schema: { readOnly } }) => {
      const name = /^(?:\[\])?\.(vehicleId|serial)$/.exec(at)?.[1];
      return name && !readOnly ? [name] : [];
    });
  }

  test('bodies that name records are tested', () => {
    expect(takingIds.map(({ id }) => id)).toEqual(['sendDataboxMessages', 'putDatabox']);
  });

  test.each(named(takingIds))(
    '$name answers an id of another provider in its body as one that nobody has',
    async ({ operation }) => {
      for (const name of idsIn(operation)) {
        const foreign = data.foreign[1][name] ?? '';
        const answers = [];
        for (const value of [foreign, foreign.replace(/.$/, '9')]) {
          const { others } = await data.enter('shared');
          const { status, text } = await client.send(operation, { body: withId(name, value) });
          expect((await data.state()).others).toEqual(others);
          answers.push({ status, text: data.stable(text.replaceAll(value, '<id>')) });
        }
        expect(answers[0]).toEqual(answers[1]);
      }

      function withId(name: string, value: string): string {
        const example = exampleOf(operation);
        const change = (body: object) => {
          const { vehicleId: _, serial: _s, ...rest } = body as Record<string, unknown>;
          return { ...rest, [name]: value };
        };
        return JSON.stringify(
          Array.isArray(example) ? example.map(change) : change(example as object),
        );
      }
    },
  );

  const searches = operations.flatMap((operation) => {
    const schema = jsonSchemaOf(operation);
    const filters = schema && resolve(schema).properties?.filters;
    const { items } = (operation.responses[200]?.schema as Schema | undefined)?.properties ?? {};
    return filters && items ? [{ name: operation.id, operation, filters }] : [];
  });

  test.each(searches)(
    '$name finds nothing of another provider by any id',
    async ({ operation, filters }) => {
      await data.enter('shared');
      const fields = searchFieldsOf(filters)
        .map(({ field }) => field)
        .filter((field) => /^(?:asset\.)?(?:id|vehicleId|serial|\w*Uuid)$/.test(field));
      const find = async (field: string, value: string) => {
        const body = JSON.stringify({ filters: [{ field, value }] });
        const { status, json } = await client.send(operation, { body });
        return status === 400 ? 0 : Object.keys(json.items).length;
      };
      let own = 0;
      for (const field of fields) {
        for (const value of Object.values(data.values)) own += await find(field, value);
        for (const value of foreignOnly())
          expect([field, value, await find(field, value)]).toEqual([field, value, 0]);
      }
      if (fields.length > 0) expect(own).toBeGreaterThan(0);
    },
  );

  function foreignOnly(): string[] {
    const own = new Set(Object.values(data.values));
    return data.foreign.flatMap((values) => Object.values(values)).filter((one) => !own.has(one));
  }

  test('no spelling of a path leads a token into another provider', async () => {
    await data.enter('shared');
    const authorization = `Bearer ${await service.token('FR-XYZ')}`;
    for (const path of [
      '/api/fleets/v1/FR/XYZ/../../DE/ABC/vehicles',
      '/api/fleets/v1/FR/XYZ/..%2f..%2fDE%2fABC/vehicles',
      '/api/fleets/v1/FR/XYZ/%2e%2e/%2e%2e/DE/ABC/vehicles',
      '/api/fleets/v1/FR%2FXYZ/../DE/ABC/vehicles',
      '//api/fleets/v1/DE/ABC/vehicles',
      '/api/fleets/v1/DE/ABC;FR/XYZ/vehicles',
      '/api/fleets/v1/DE/ABC/vehicles?assetProviderCountryCode=FR&assetProviderCode=XYZ',
      '/api/fleets/v1/DE/ABC/vehicles#/../../FR/XYZ',
      '/api/fleets/v1/de/abc/vehicles',
    ]) {
      const { status } = await service.send({ method: 'POST', path, headers: { authorization } });
      expect([path, status >= 400 && status < 500]).toEqual([path, true]);
    }
  });
});

describe('API5: function level authorization', () => {
  const overrides = (method: string) => ({
    'x-http-method-override': method,
    'x-http-method': method,
    'x-method-override': method,
  });

  async function tokenOf(role: Role): Promise<string> {
    const { id, secret = '' } = await addClient(service.db, 'DE-ABC', { name: role, role });
    const { json } = await requestToken(service.url, 'DE-ABC', {
      clientId: id,
      clientSecret: secret,
    });
    return `Bearer ${json.access_token}`;
  }

  test('no header and no parameter makes a method another', async () => {
    const authorization = await tokenOf('viewer');
    const before = await data.enter('shared');
    for (const operation of operations.filter(({ role }) => role === 'viewer')) {
      for (const method of ['DELETE', 'PUT', 'POST', 'PATCH']) {
        const sent = { method: operation.method, headers: { authorization, ...overrides(method) } };
        const path = client.path(operation);
        await service.send({ ...sent, path });
        await service.send({ ...sent, path: `${path}?_method=${method}` });
      }
    }
    expect(await data.state()).toEqual(before);
  });

  test.each(named(operations.filter(({ method }) => method === 'GET')))(
    'HEAD of $name needs what GET needs, and answers no content',
    async ({ operation }) => {
      await data.enter('shared');
      const path = client.path(operation);
      const head = (authorization?: string) =>
        service.send({ method: 'HEAD', path, headers: { authorization } });
      expect((await head()).status).toBe(401);
      expect((await head(await tokenOf('databox'))).status).toBe(403);
      const { status, text } = await head(`Bearer ${await service.token()}`);
      expect([status, text]).toEqual([200, '']);
    },
  );

  test('no operation is without a role, and those of administrators are theirs alone', async () => {
    const authorization = await tokenOf('editor');
    for (const operation of operations.filter(({ role }) => role === 'admin')) {
      const sent = { headers: { authorization, 'x-role': 'admin', 'x-forwarded-user': 'admin' } };
      expect((await client.send(operation, sent)).status, operation.id).toBe(403);
    }
    const documentedRoles = operations.map(({ role }) => role);
    expect(
      documentedRoles.every((role) => ['databox', 'viewer', 'editor', 'admin'].includes(role)),
    ).toBe(true);
  });
});
