import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Operation } from '../platform/http/operation.ts';
import type { ValidationIssue } from '../platform/http/problem.ts';
import type { Answer } from '../testing/http-client.ts';
import { startTestService, type TestService } from '../testing/test-service.ts';
import type { Dependencies } from './dependencies.ts';
import { operations } from './index.ts';

/** Null in an optional property means that it is absent; in a required one it is an error. */

type AnyOperation = Operation<Dependencies>;
type Path = readonly (string | number)[];
type ObjectSchema = {
  properties?: Record<string, ObjectSchema>;
  required?: string[];
  items?: ObjectSchema;
};

let service: TestService;

beforeAll(async () => {
  service = await startTestService();
  // What the examples of most operations belong to.
  expect((await sendExample(operationOf('putVehicle'))).status).toBe(201);
});
afterAll(() => service.stop());

function operationOf(id: string): AnyOperation {
  const found = operations.find((operation) => operation.id === id);
  if (!found) throw new Error(`There is no operation ${id}.`);
  return found;
}

function pathOf({ path, parameters }: AnyOperation): string {
  return path.replaceAll(/\{(\w+)\}/g, (_, name) => parameters[name]?.example ?? '');
}

function sendExample(operation: AnyOperation): Promise<Answer> {
  const [example] = Object.values(operation.body?.examples ?? {});
  return service.call(operation.method, pathOf(operation), example?.value);
}

/** Every property that the schema has in an object of the example. */
function propertiesOf(
  schema: ObjectSchema,
  value: unknown,
  path: Path = [],
): { at: Path; isRequired: boolean }[] {
  if (Array.isArray(value)) {
    const { items = {} } = schema;
    return value.flatMap((element, index) => propertiesOf(items, element, [...path, index]));
  }
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(schema.properties ?? {}).flatMap(([name, property]) => {
    const at = [...path, name];
    const below = propertiesOf(property, (value as Record<string, unknown>)[name], at);
    return [{ at, isRequired: schema.required?.includes(name) ?? false }, ...below];
  });
}

function changed(value: unknown, at: Path, change: 'null' | 'absent'): unknown {
  const copy = structuredClone(value);
  let object = copy as Record<string | number, unknown>;
  for (const key of at.slice(0, -1)) object = object[key] as typeof object;
  const name = at.at(-1) ?? '';
  if (change === 'null') object[name] = null;
  else delete object[name];
  return copy;
}

/** What came of it, without what each request makes anew. */
function outcomeOf({ status, json }: Answer) {
  const results = json?.results?.map(({ result, errors }: Record<string, unknown>) => ({
    result,
    errors,
  }));
  return { status, errors: json?.errors, results };
}

const overwrites = [
  ['createLogbookEntry', 'putLogbookEntry'],
  ['createIncident', 'updateIncident'],
  ['createChecklistEntry', 'putChecklistEntry'],
  ['createChecklistTemplate', 'putChecklistTemplate'],
  ['createMaintenanceReport', 'putMaintenanceReport'],
  ['createMaintenanceSchedule', 'putMaintenanceSchedule'],
] as const;

test.each(overwrites)(
  'what %s made, %s with null clears as leaving out does',
  async (made, put) => {
    const { headers } = await sendExample(operationOf(made));
    const path = String(headers.location).replace(/^.*\/DE\/ABC/, '');
    const { method, body } = operationOf(put);
    const [example] = Object.values(body?.examples ?? {});
    const value = example?.value;
    const properties = propertiesOf(body?.schema as ObjectSchema, value);
    for (const { at } of properties.filter(({ isRequired }) => !isRequired)) {
      const answers = [];
      for (const change of ['absent', 'null'] as const) {
        expect((await service.call(method, path, value)).status).toBe(200);
        const { json } = await service.call(method, path, changed(value, at, change));
        answers.push({ ...json, updatedAt: '', requestId: '' });
      }
      expect(answers[1], at.join('.')).toEqual(answers[0]);
    }
  },
);

type Example = { name: string; operation: AnyOperation; schema: ObjectSchema; value: unknown };

const examples = operations.flatMap((operation): Example[] => {
  const { body, batch } = operation;
  if (batch) {
    const schema = { items: batch.schema as ObjectSchema };
    return [{ name: operation.id, operation, schema, value: batch.example }];
  }
  return Object.entries(body?.examples ?? {}).map(([name, { value }]) => ({
    name: `${operation.id}, example ${name}`,
    operation,
    schema: body?.schema as ObjectSchema,
    value,
  }));
});

describe.each(examples)('$name', ({ operation, schema, value }) => {
  const properties = propertiesOf(schema, value);
  const required = properties.filter(({ isRequired }) => isRequired);
  const optional = properties.filter(({ isRequired }) => !isRequired);
  const send = (body: unknown) => service.call(operation.method, pathOf(operation), body);

  test.runIf(optional.length > 0)(
    'null for an optional property is answered as if it were left out',
    async () => {
      for (const { at } of optional) {
        // Twice, since the first may be the one that changes something.
        await send(changed(value, at, 'absent'));
        const expected = outcomeOf(await send(changed(value, at, 'absent')));
        const answer = await send(changed(value, at, 'null'));
        expect(outcomeOf(answer), at.join('.')).toEqual(expected);
      }
    },
  );

  test.runIf(required.length > 0)('null for a required property is refused and named', async () => {
    for (const { at } of required) {
      const { status, json } = await send(changed(value, at, 'null'));
      const [index, ...rest] = operation.batch ? at : [0, ...at];
      const errors: ValidationIssue[] = operation.batch
        ? json.results[index ?? 0].errors
        : json.errors;
      expect(status, at.join('.')).toBe(operation.batch ? 200 : 400);
      expect(errors.map(({ pointer }) => pointer)).toContain(['', ...rest].join('/'));
    }
  });
});
