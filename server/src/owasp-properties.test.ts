import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { operations } from './fleet/index.ts';
import {
  type ContractClient,
  contractClient,
  exampleOf,
} from './testing/contract/contract-client.ts';
import { type ContractData, seedContractData } from './testing/contract/contract-data.ts';
import { fleetTables } from './testing/contract/fleet-tables.ts';
import { sendRequest } from './testing/contract/observer.ts';
import { type AnyOperation, providers, requestsOf } from './testing/contract/requests.ts';
import { loadSeeds } from './testing/contract/seed.ts';
import {
  documentedOperations,
  requestSchemas,
  resolve,
  type Schema,
} from './testing/fuzz/documented-operations.ts';
import { startTestService, type TestService } from './testing/test-service.ts';

/**
 * OWASP API Security Top 10 of 2023, items 3 and 4: which properties, and how much. That every operation bounds its body in
 * bytes is in fleet/contract.test.ts.
 */

const seeds = await loadSeeds();
let service: TestService;
let data: ContractData;
let client: ContractClient;
/** The names of all columns of records. */
let columns: string[];

beforeAll(async () => {
  service = await startTestService();
  data = await seedContractData(service, seeds, providers['DE-ABC']);
  client = contractClient(service, data);
  await data.enter('shared');
  const tables = await fleetTables(service.db);
  columns = tables.flatMap((table) => table.columns.map(({ name }) => name));
});
afterAll(() => service.stop());

const documented = new Map(documentedOperations.map((operation) => [operation.id, operation]));
const jsonSchemaOf = ({ id }: AnyOperation) =>
  documented.get(id)?.content['application/json']?.schema;
const named = (list: readonly AnyOperation[]) =>
  list.map((operation) => ({ name: operation.id, operation }));

describe('API3: property level authorization', () => {
  const withReadOnly = operations.filter((operation) => readOnlyOf(operation).length > 0);

  function readOnlyOf(operation: AnyOperation): [string, Schema][] {
    const schema = jsonSchemaOf(operation);
    if (!schema || operation.batch) return [];
    return Object.entries(resolve(schema).properties ?? {}).filter(([, one]) => one.readOnly);
  }

  /** A value that the service would not choose itself. */
  function otherValue(schema: Schema): unknown {
    const { type, format, enum: values } = resolve(schema);
    if (values) return values.at(-1);
    if (format === 'date-time') return '2001-02-03T04:05:06Z';
    if (format === 'date') return '2001-02-03';
    if (type === 'boolean') return true;
    if (type === 'array') return [];
    if (type === 'object') return {};
    return 'ffffffff-ffff-4fff-bfff-ffffffffffff';
  }

  test.each(named(withReadOnly))(
    '$name stores no property that is read-only',
    async ({ operation }) => {
      const example = exampleOf(operation) as object;
      const readOnly = readOnlyOf(operation).map(([key, schema]) => [key, otherValue(schema)]);
      const stored = [];
      for (const body of [example, { ...example, ...Object.fromEntries(readOnly) }]) {
        await data.enter('shared');
        const { status, json } = await client.send(operation, { body: JSON.stringify(body) });
        expect(status, JSON.stringify(json)).toBeLessThan(300);
        stored.push((await data.state()).own);
      }
      expect(stored[1]).toEqual(stored[0]);
    },
  );

  const withBody = operations.filter((operation) => exampleOf(operation) !== undefined);

  test.each(named(withBody))(
    '$name takes no column of the database that it does not document',
    async ({ operation }) => {
      await data.enter('shared');
      const schema = resolve(jsonSchemaOf(operation) ?? {});
      const known = Object.keys(resolve(schema.items ?? schema).properties ?? {});
      const camelCase = (name: string) =>
        name.replaceAll(/_(\w)/g, (_, letter) => letter.toUpperCase());
      const internal = new Set(
        [...columns, ...columns.map(camelCase)].filter((name) => !known.includes(name)),
      );
      const example = exampleOf(operation);
      // As many as are named at once.
      const size = operation.batch ? 5 : 50;
      for (let rest = [...internal]; rest.length > 0; rest = rest.slice(size)) {
        const names = rest.slice(0, size);
        const added = Object.fromEntries(names.map((name) => [name, 'x']));
        const body = Array.isArray(example)
          ? [{ ...example[0], ...added }]
          : { ...(example as object), ...added };
        const { json } = await client.send(operation, { body: JSON.stringify(body) });
        const errors: { detail: string }[] = operation.batch ? json.results[0].errors : json.errors;
        const refused = errors.map(
          ({ detail }) => /^"(\w+)" is not a known property/.exec(detail)?.[1],
        );
        expect(refused.sort()).toEqual(names.sort());
      }
    },
  );

  test.each(named(operations))(
    '$name answers documented properties alone',
    async ({ operation }) => {
      await data.enter('shared');
      let properties = 0;
      for (const request of requestsOf(operation, seeds)) {
        const { status, json } = await sendRequest(service, data, operation, request);
        const schema = documented.get(operation.id)?.answers[status];
        if (schema) properties += requireDocumented(schema, json, '');
      }
      const answersJson = Object.keys(documented.get(operation.id)?.answers ?? {}).length > 0;
      expect(properties > 0).toBe(answersJson);
    },
  );

  /** Fails for a property that its schema does not have; returns the number of all. */
  function requireDocumented(schema: Schema, value: unknown, at: string): number {
    const {
      type,
      items,
      properties,
      patternProperties = {},
      additionalProperties,
    } = resolve(schema);
    // Documented as any value.
    if (type === undefined && properties === undefined) return 0;
    if (Array.isArray(value)) {
      if (!items) return 0;
      return value.reduce((sum, one) => sum + requireDocumented(items, one, `${at}[]`), 0);
    }
    if (typeof value !== 'object' || value === null || typeof additionalProperties === 'object')
      return 0;
    return Object.entries(value).reduce((sum, [key, child]) => {
      const [ofAnyName] = Object.values(patternProperties);
      const property = properties?.[key] ?? ofAnyName;
      if (!property) throw new Error(`${at}.${key} is not documented`);
      return sum + 1 + requireDocumented(property, child, `${at}.${key}`);
    }, 0);
  }
});

describe('API4: resource consumption', () => {
  const isBounded: Record<string, (schema: Schema) => boolean> = {
    string: ({ maxLength, enum: values, format, pattern }) =>
      maxLength !== undefined ||
      values !== undefined ||
      ['date', 'date-time', 'uuid'].includes(format ?? '') ||
      (pattern !== undefined && /^\^[^*+]*\$$/.test(pattern)),
    array: ({ maxItems, uniqueItems, items }) =>
      maxItems !== undefined || (uniqueItems === true && items?.enum !== undefined),
    object: ({ additionalProperties, maxProperties, propertyNames }) =>
      additionalProperties === false ||
      (maxProperties !== undefined && propertyNames?.maxLength !== undefined),
  };

  test('every text, list and object of a request is bounded', () => {
    const unbounded = documentedOperations
      .flatMap(requestSchemas)
      .filter(({ schema }) => !schema.readOnly)
      .filter(({ schema }) =>
        [schema.type ?? []].flat().some((type) => isBounded[type]?.(schema) === false),
      )
      .map(({ at }) => at);
    expect(unbounded).toEqual([]);
  });

  const many = (count: number, value: unknown) => Array.from({ length: count }, () => value);
  const excessive: Record<string, object> = {
    'a page of more than 1,000': { pageSize: 1_001 },
    'a page of every number': { pageSize: Number.MAX_SAFE_INTEGER },
    '51 filters': { filters: many(51, { field: 'id', operator: 'exists', value: true }) },
    '11 sortings': { sorting: many(11, { field: 'id' }) },
    '1,001 values': { filters: [{ field: 'id', operator: 'in', value: many(1_001, 'x') }] },
    'a value of 1,001 characters': { filters: [{ field: 'id', value: 'x'.repeat(1_001) }] },
  };
  const lists = operations.filter(({ id }) =>
    documentedOperations.some(
      (one) => one.id === id && requestSchemas(one).some(({ at }) => /[.?]filters$/.test(at)),
    ),
  );

  test.each(named(lists))('$name refuses what would cost too much', async ({ operation }) => {
    for (const [name, { pageSize, ...search }] of Object.entries(excessive) as [
      string,
      Record<string, unknown>,
    ][]) {
      const isQuery = operation.method === 'GET';
      const parameters = Object.entries({ ...search, ...(pageSize !== undefined && { pageSize }) });
      const query = parameters.map(
        ([key, value]) => `${key}=${encodeURIComponent(JSON.stringify(value))}`,
      );
      const body = { ...search, ...(pageSize !== undefined && { pagination: { pageSize } }) };
      const { status } = await client.send(
        operation,
        isQuery
          ? { path: `${client.path(operation)}?${query.join('&')}` }
          : { body: JSON.stringify(body) },
      );
      expect([name, status]).toEqual([name, 400]);
    }
  });

  test.each(named(operations.filter(({ upload }) => upload)))(
    '$name refuses more bytes than the limit',
    async ({ operation }) => {
      await data.enter('shared');
      const { uploadLimitBytes } = service.dependencies.settings;
      const body = Buffer.alloc(uploadLimitBytes + 1);
      expect((await client.send(operation, { body })).status).toBe(413);
    },
  );
});
