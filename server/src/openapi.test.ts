import { Validator } from '@seriousme/openapi-schema-validator';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { describeInterface } from './app.ts';
import { operations } from './fleet/index.ts';
import { basePath } from './platform/http/operation.ts';
import { compileValidator } from './platform/http/validation.ts';
import { startTestService, type TestService } from './testing/test-service.ts';

let service: TestService;
// biome-ignore lint/suspicious/noExplicitAny: a document of any shape until it is validated.
let document: any;

beforeAll(async () => {
  service = await startTestService();
  document = (await service.send({ path: '/openapi.json' })).json;
});
afterAll(() => service.stop());

test('the document is valid OpenAPI 3.1, by a validator nobody here wrote', async () => {
  const result = await new Validator().validate(structuredClone(document));
  expect(result.errors).toBeUndefined();
  expect(result.valid).toBe(true);
  expect(document.openapi).toMatch(/^3\.1\./);
});

test('it has every operation with its texts, examples, errors and origin', () => {
  for (const operation of operations) {
    const described = document.paths[basePath + operation.path][operation.method.toLowerCase()];
    expect(described).toMatchObject({
      operationId: operation.id,
      tags: [operation.tag, ...(operation.furtherTags ?? [])],
      summary: expect.stringMatching(/\w/),
      description: expect.stringMatching(/\w/),
      'x-motorpool-origin': operation.origin,
    });
    expect(Object.keys(described.responses)).toEqual(
      expect.arrayContaining(['400', '401', '403', '503']),
    );
    expect('404' in described.responses).toBe(operation.notFound.length > 0);
    expect('415' in described.responses).toBe(operation.method !== 'GET');
    expect(document.tags.map(({ name }: { name: string }) => name)).toContain(operation.tag);
  }
  const ids = operations.map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
});

test('every example is valid by its own schema', () => {
  for (const { id, body, responses } of operations) {
    for (const { value } of Object.values(body?.examples ?? {})) {
      expect(body && compileValidator(body.schema)(value), id).toEqual([]);
    }
    for (const { schema, example } of Object.values(responses)) {
      if (schema) expect(compileValidator(schema)(example), id).toEqual([]);
    }
  }
});

test('the security scheme is oauth, with both flows and the scope openid', () => {
  const { oauth } = document.components.securitySchemes;
  expect(oauth.type).toBe('oauth2');
  for (const flow of ['clientCredentials', 'authorizationCode']) {
    expect(Object.keys(oauth.flows[flow].scopes)).toEqual(['openid']);
  }
  expect(document.security).toEqual([{ oauth: ['openid'] }]);
});

describe('generated clients', () => {
  // biome-ignore lint/suspicious/noExplicitAny: a part of the document.
  type Part = any;

  /** Every schema of the document, with its place; not what examples look like. */
  function schemasIn(part: Part, at = ''): { at: string; schema: Part }[] {
    if (typeof part !== 'object' || part === null) return [];
    const below = Object.entries(part).flatMap(([key, value]) =>
      /^examples?$/.test(key) && !at.endsWith('/properties')
        ? []
        : schemasIn(value, `${at}/${key}`),
    );
    const isSchema = typeof part.type === 'string' || Array.isArray(part.type);
    return isSchema && !at.endsWith('/properties') ? [{ at, schema: part }, ...below] : below;
  }
  const placesOf = (isWrong: (schema: Part, at: string) => unknown) =>
    schemasIn(document)
      .filter(({ schema, at }) => isWrong(schema, at))
      .map(({ at }) => at);
  const operationsOf = (): Part[] =>
    Object.values<Part>(document.paths).flatMap((path) =>
      Object.values<Part>(path).filter(({ operationId }) => operationId),
    );

  test('every string and every array is bounded; bytes are by a setting', () => {
    expect(schemasIn(document).length).toBeGreaterThan(1_000);
    const has = (type: string, schema: Part) => [schema.type].flat().includes(type);
    const isText = (schema: Part) =>
      has('string', schema) && !schema.enum && schema.const === undefined;
    expect(
      placesOf(
        (schema) => isText(schema) && schema.format !== 'binary' && schema.maxLength === undefined,
      ),
    ).toEqual([]);
    expect(placesOf((schema) => has('array', schema) && schema.maxItems === undefined)).toEqual([]);
  });

  test('what is optional has no default, which would make it required', () => {
    const wrong = schemasIn(document).flatMap(({ at, schema: { properties, required = [] } }) =>
      Object.entries<Part>(properties ?? {})
        .filter(([name, property]) => 'default' in property && !required.includes(name))
        .map(([name]) => `${at}/${name}`),
    );
    expect(wrong).toEqual([]);
    for (const { schema } of Object.values<Part>(document.components.parameters))
      expect(schema).not.toHaveProperty('default');
  });

  test('one schema of filters, and one of sorting', () => {
    const names = Object.keys(document.components.schemas);
    expect(names.filter((name) => /Filter$|Sorting$/.test(name))).toEqual(['Filter', 'Sorting']);
    const arrays = schemasIn(document).filter(({ at }) => /\/(filters|sorting)$/.test(at));
    expect(arrays.length).toBeGreaterThan(30);
    for (const { at, schema } of arrays) {
      const name = at.endsWith('filters') ? 'Filter' : 'Sorting';
      expect(schema.items, at).toEqual({ $ref: `#/components/schemas/${name}` });
      expect(schema.description, at).toMatch(/The fields: \w+/);
    }
  });

  test('parameters are components, plain, and none is written twice', () => {
    const { parameters } = document.components;
    for (const { operationId, parameters: own = [] } of operationsOf()) {
      if (['authorize', 'endSession'].includes(operationId)) continue;
      for (const parameter of own) expect(Object.keys(parameter), operationId).toEqual(['$ref']);
    }
    const texts = Object.values(parameters).map((one) => JSON.stringify(one));
    expect(new Set(texts).size).toBe(texts.length);
    for (const { name, in: place, schema, content } of Object.values<Part>(parameters)) {
      expect(content, name).toBeUndefined();
      if (place === 'query') expect(schema.type, name).toMatch(/^(string|integer|boolean)$/);
    }
  });

  test('no schema has the name of something that every browser or runtime has', () => {
    const ofBrowsers =
      'Document Element Node Location Range Selection Image Option Text Comment Window Notification History Screen Worker Credential';
    const globals = new Set([...Object.getOwnPropertyNames(globalThis), ...ofBrowsers.split(' ')]);
    expect(globals.has('Blob')).toBe(true);
    const names = Object.keys(document.components.schemas);
    expect(names.filter((name) => globals.has(name))).toEqual([]);
  });

  test('whole numbers are integers', () => {
    const counted = /(?:expires_in|Count|Months|pageNumber|pageSize|totalEntries)$/;
    const wrong = placesOf((schema, at) => schema.type === 'number' && counted.test(at));
    expect(wrong).toEqual([]);
    expect(document.components.schemas.Token.properties.expires_in.type).toBe('integer');
  });

  test('someone is named to turn to, and operations are found where they are looked for', () => {
    expect(document.info.contact.name).toMatch(/\w/);
    const files = operationsOf().filter(({ operationId }) => /^\w+LogbookFile$/.test(operationId));
    expect(files).toHaveLength(4);
    for (const { operationId, tags } of files) expect(tags, operationId).toContain('Files');
    const grants = document.components.schemas.TokenRequest.properties.grant_type.enum;
    expect(grants).toEqual(expect.arrayContaining(['client_credentials', 'authorization_code']));
    const paths = Object.keys(document.paths);
    const realm = '/realms/{realm}';
    const endpoints = [
      'auth',
      'certs',
      'logout',
      'revoke',
      'token',
      'token/introspect',
      'userinfo',
    ];
    expect(paths.filter((path) => path.startsWith(realm)).sort()).toEqual([
      realm,
      ...endpoints.map((name) => `${realm}/protocol/openid-connect/${name}`),
    ]);
  });
});

test('the document is answered as it was encoded once', async () => {
  const answer = await service.send({ path: '/openapi.json' });
  expect(answer.headers['content-type']).toBe('application/json; charset=utf-8');
  expect(Number(answer.headers['content-length'])).toBe(Buffer.byteLength(answer.text));
  expect(answer.json).toEqual(describeInterface());
});

test('the reference loads nothing from elsewhere', async () => {
  const page = await service.send({ path: '/docs' });
  const script = await service.send({ path: '/docs/reference.js' });
  expect(page.status).toBe(200);
  const references = [...page.text.matchAll(/(?:src|href)="([^"]+)"/g)].map(
    ([, reference]) => reference ?? '',
  );
  expect(references.length).toBeGreaterThan(2);
  for (const path of references) {
    expect(path).toMatch(/^\/docs\//);
    expect((await service.send({ path })).status, path).toBe(200);
  }
  expect(script.text).not.toMatch(/https?:\/\//);
  expect(page.headers['content-security-policy']).toContain("connect-src 'self'");
  for (const path of [
    '/docs/assets/package.json',
    '/docs/assets/..%2fpackage.json',
    '/docs/assets/',
  ]) {
    expect((await service.send({ path })).status, path).toBe(404);
  }
});
