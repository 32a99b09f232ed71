import { Validator } from '@seriousme/openapi-schema-validator';
import { afterAll, beforeAll, expect, test } from 'vitest';
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
      tags: [operation.tag],
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
