import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ValidationIssue } from '../platform/http/problem.ts';
import { searchLimits } from '../platform/search/limits.ts';
import {
  type ContractClient,
  contractClient,
  exampleOf,
  takesJson,
} from '../testing/contract/contract-client.ts';
import { type ContractData, seedContractData } from '../testing/contract/contract-data.ts';
import { requireContract } from '../testing/contract/document.ts';
import {
  adversarialValues,
  isArray,
  leaves,
  malformedBodies,
  malformedQueries,
  malformedSegments,
  objects,
  type Path,
  queryValues,
  unreadableBodies,
  valuesOfTurn,
  withValue,
} from '../testing/contract/malformed-input.ts';
import { type AnyOperation, providers } from '../testing/contract/requests.ts';
import { loadSeeds } from '../testing/contract/seed.ts';
import type { Answer } from '../testing/http-client.ts';
import { startTestService, type TestService } from '../testing/test-service.ts';
import { operations } from './index.ts';

/** Whatever an operation is sent, it answers what its document promises, and names what is wrong. */

let service: TestService;
let data: ContractData;
let client: ContractClient;

beforeAll(async () => {
  service = await startTestService();
  data = await seedContractData(service, await loadSeeds(), providers['DE-ABC']);
  client = contractClient(service, data);
});
afterAll(() => service.stop());

/** Where in a body a value stands that is wrong: in a batch, a message has its own result. */
function issuesAt({ batch }: AnyOperation, path: Path, { status, json }: Answer) {
  if (!batch) {
    expect(status, path.join('.')).toBe(400);
    return { pointer: `/${path.join('/')}`, errors: json.errors as ValidationIssue[] };
  }
  expect(status, path.join('.')).toBe(200);
  const [index, ...rest] = path;
  const { result, errors } = json.results[Number(index)];
  expect(result, path.join('.')).toBe('rejected');
  return { pointer: ['', ...rest].join('/'), errors: errors as ValidationIssue[] };
}

describe.each(operations.map((operation, turn) => ({ name: operation.id, operation, turn })))(
  '$name',
  ({ operation, turn }) => {
    const example = exampleOf(operation);
    beforeAll(() => data.enter('shared'));

    test.runIf(takesJson(operation))(
      '400 for a body that is no JSON, no text, or that no operation has; 413 for one too large to look at',
      async () => {
        const bodies = [
          ...valuesOfTurn(Object.entries(unreadableBodies), turn),
          ...Object.entries(malformedBodies),
        ];
        for (const [name, body] of bodies) {
          const { status, json } = await client.send(operation, { body });
          if (operation.batch && isArray(body)) {
            expect([status, json.results?.[0]?.result], name).toEqual([200, 'rejected']);
            continue;
          }
          if (operation.workload === 'search' && body.length > searchLimits.bodyBytes) {
            expect(status, name).toBe(413);
            continue;
          }
          expect(status, name).toBe(400);
          expect(json.errors.length, name).toBeGreaterThan(0);
        }
        expect(({} as { admin?: boolean }).admin).toBeUndefined();
      },
    );

    test.runIf(example)(
      'no value in any place of its body gives a 5xx, and a wrong type is named',
      async () => {
        for (const [index, path] of leaves(example).entries()) {
          const bodies = valuesOfTurn(adversarialValues, turn + index).map((value) =>
            withValue(example, path, value),
          );
          const answers = await Promise.all(bodies.map((body) => client.send(operation, { body })));
          for (const [number, { status }] of answers.entries())
            expect(status, bodies[number]?.slice(0, 1_000)).toBeLessThan(500);
          const body = withValue(example, path, '{"a":[1e400]}');
          const { pointer, errors } = issuesAt(
            operation,
            path,
            await client.send(operation, { body }),
          );
          expect(
            errors.some((error) => error.pointer.startsWith(pointer)),
            `${pointer} in ${JSON.stringify(errors)}`,
          ).toBe(true);
        }
      },
    );

    test.runIf(example)(
      'an unknown property anywhere in its body is refused with the known ones',
      async () => {
        for (const path of objects(example)) {
          const wrong = [...path, 'nonsense'];
          const body = withValue(example, wrong, '1');
          const { errors } = issuesAt(operation, wrong, await client.send(operation, { body }));
          expect(errors[0]?.detail).toMatch(/"nonsense" is not a known property: known are \w+/);
        }
      },
    );

    test('400 for a parameter of the query that it does not know, with the known ones', async () => {
      const askFor = (query: string) =>
        client.send(operation, { path: `${client.path(operation)}?${query}` });
      const known = Object.keys(operation.query?.schema.properties ?? {});
      const { status, json } = await askFor('nonsense=1');
      expect(status).toBe(400);
      expect(json.errors).toEqual([
        { pointer: '?nonsense', detail: expect.stringContaining(known.join(', ')) },
      ]);
      for (const query of malformedQueries) expect((await askFor(query)).status, query).toBe(400);
      for (const [index, name] of known.entries()) {
        for (const value of valuesOfTurn(queryValues, turn + index)) {
          const query = `${name}=${value}`;
          expect((await askFor(query)).status, query.slice(0, 40)).toBeLessThan(500);
        }
      }
    });

    test.runIf(filtersIn(operation))(
      'a filter by a text that cannot be stored is refused, whatever the field',
      async () => {
        const askFor = (filter: string) =>
          client.send(operation, { body: `{"filters":[${filter}]${requiredOf(operation)}}` });
        const { json } = await askFor('{"field":"nonsense","value":1}');
        const fields: string[] = json.errors[0].detail
          .split('known are ')[1]
          .slice(0, -1)
          .split(', ');
        for (const field of fields) {
          for (const [operator, value] of [
            ['eq', '"\\u0000"'],
            ['in', '["a","\\u0000"]'],
            ['contains', '"\\ud800"'],
          ]) {
            const filter = `{"field":"${field}","operator":"${operator}","value":${value}}`;
            expect((await askFor(filter)).status, filter).toBe(400);
          }
          const small = `{"field":"${field}","value":1e-320}`;
          expect((await askFor(small)).status, small).toBeLessThan(500);
        }
        expect((await askFor('{"value":"\\u0000"}')).status).toBe(400);
      },
    );

    test('no path gives a 5xx', async () => {
      const codes = ['assetProviderCountryCode', 'assetProviderCode'];
      const names = [...codes, ...Object.keys(operation.parameters)];
      for (const [index, name] of names.entries()) {
        for (const [value, status] of valuesOfTurn(malformedSegments, turn + index)) {
          const path = client.path(operation, { [name]: value });
          const answer = await client.send(operation, { path });
          const where = `${name} = ${value.slice(0, 20)}`;
          expect(answer.status, where).toBeGreaterThanOrEqual(400);
          expect(answer.status, where).toBeLessThan(500);
          if (status) expect(answer.status, where).toBe(status);
        }
      }
      const longer = client.path(operation) + '/'.repeat(100);
      expect((await client.send(operation, { path: longer })).status).toBe(404);
    });

    test('no word of the language is a name that breaks it', async () => {
      for (const name of Object.keys(operation.parameters)) {
        const path = client.path(operation, { [name]: '__proto__' });
        expect((await client.send(operation, { path })).status).toBeLessThan(500);
      }
    });
  },
);

test('431 for a path past all limits', async () => {
  const path = `/${'x'.repeat(17_000)}`;
  const answer = await service.send({ path });
  expect(answer.status).toBe(431);
  expect(answer.json.requestId).toBe(answer.headers['x-request-id']);
  requireContract('GET', path, answer);
});

/** Whether it is a search by filters. */
/** What a body must have besides its filters, as in the example. */
function requiredOf({ body }: AnyOperation): string {
  const { required = [] } = (body?.schema ?? {}) as { required?: string[] };
  const [example] = Object.values(body?.examples ?? {});
  const values = (example?.value ?? {}) as Record<string, unknown>;
  return required.map((name) => `,"${name}":${JSON.stringify(values[name])}`).join('');
}

function filtersIn({ body }: AnyOperation): boolean {
  const { properties = {} } = (body?.schema ?? {}) as { properties?: object };
  return 'filters' in properties;
}
