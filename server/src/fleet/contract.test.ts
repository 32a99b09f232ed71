import { METHODS } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { basePath, type Operation } from '../platform/http/operation.ts';
import type { ValidationIssue } from '../platform/http/problem.ts';
import { forgedTokens } from '../testing/forged-tokens.ts';
import type { Answer, Sent } from '../testing/http-client.ts';
import { startTestService, type TestService } from '../testing/test-service.ts';
import type { Dependencies } from './dependencies.ts';
import { operations } from './index.ts';

/** What every operation must stand, those included that are still to be written. */

type AnyOperation = Operation<Dependencies>;

let service: TestService;
let token: string;
let foreignToken: string;
let forged: Record<string, string>;

beforeAll(async () => {
  service = await startTestService();
  token = await service.token();
  foreignToken = await service.token('FR-XYZ');
  forged = await forgedTokens(service);
});
afterAll(() => service.stop());

const table = operations.map((operation) => ({ name: operation.id, operation }));

function pathOf(operation: AnyOperation, values: Record<string, string> = {}): string {
  const examples = Object.fromEntries(
    Object.entries(operation.parameters).map(([name, { example }]) => [name, example]),
  );
  const all: Record<string, string> = {
    assetProviderCountryCode: 'DE',
    assetProviderCode: 'ABC',
    ...examples,
    ...values,
  };
  return (basePath + operation.path).replaceAll(/\{(\w+)\}/g, (_, name) => all[name] ?? '');
}

function takesJson({ method, upload }: AnyOperation): boolean {
  return method !== 'GET' && !upload;
}

function exampleOf({ body, batch }: AnyOperation): unknown {
  return batch?.example ?? Object.values(body?.examples ?? {})[0]?.value;
}

function limitOf({ batch }: AnyOperation): number {
  return batch?.maxBytes ?? 1024 * 1024;
}

/** Where in a body a value stands that is wrong: in a batch, a message has its own result. */
function faultsAt({ batch }: AnyOperation, path: Path, { status, json }: Answer) {
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

async function ask(
  operation: AnyOperation,
  sent: Partial<Sent> & { json?: unknown } = {},
): Promise<Answer> {
  const { json = exampleOf(operation), headers, ...rest } = sent;
  const body = rest.body ?? (json === undefined ? undefined : JSON.stringify(json));
  const answer = await service.send({
    method: operation.method,
    path: pathOf(operation),
    ...rest,
    body,
    headers: {
      authorization: `Bearer ${token}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
  });
  if (answer.status >= 400) {
    expect(answer.headers['content-type']).toBe('application/problem+json');
    expect(answer.json).toMatchObject({
      type: expect.stringMatching(/^urn:motorpool:problem:/),
      title: expect.any(String),
      status: answer.status,
      instance: expect.any(String),
      requestId: answer.headers['x-request-id'],
    });
    expect(answer.text).not.toMatch(/node_modules|\.ts:\d|select |insert |at \w+ \(/);
  }
  return answer;
}

describe.each(table)('$name', ({ operation }) => {
  test('answers its own example with a success that it promises, or with 404', async () => {
    const { status } = await ask(operation);
    expect([
      ...Object.keys(operation.responses).map(Number),
      ...(operation.notFound.length > 0 ? [404] : []),
    ]).toContain(status);
  });

  test('401 without a token, and with every forged one', async () => {
    const missing = await ask(operation, { headers: { authorization: undefined } });
    expect(missing.status).toBe(401);
    expect(missing.headers['www-authenticate']).toBe('Bearer realm="DE-ABC"');
    for (const [name, forgery] of Object.entries(forged)) {
      const { status, headers } = await ask(operation, {
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
      expect(
        (await ask(operation, { headers: { authorization } })).status,
        authorization.slice(0, 20),
      ).toBe(401);
    }
  });

  test('403 with the token of another provider, also for one that does not exist', async () => {
    expect(
      (await ask(operation, { headers: { authorization: `Bearer ${foreignToken}` } })).status,
    ).toBe(403);
    for (const assetProviderCode of ['ZZZ', 'abc', '%C3%A4bc']) {
      expect(
        (await ask(operation, { path: pathOf(operation, { assetProviderCode }) })).status,
      ).toBe(403);
    }
  });

  test('400 for codes of the wrong length, each of them named', async () => {
    const path = pathOf(operation, { assetProviderCountryCode: 'DEU', assetProviderCode: 'AB' });
    const { status, json } = await ask(operation, { path });
    expect(status).toBe(400);
    expect(json.errors.map(({ pointer }: { pointer: string }) => pointer)).toEqual([
      '#assetProviderCountryCode',
      '#assetProviderCode',
    ]);
  });

  test('the checks come in their order', async () => {
    const malformed = pathOf(operation, { assetProviderCode: 'AB' });
    const text = { body: 'x', headers: { 'content-type': 'text/plain' } };
    const foreign = { authorization: `Bearer ${foreignToken}` };
    expect(
      (await ask(operation, { path: malformed, headers: { authorization: undefined } })).status,
    ).toBe(401);
    expect((await ask(operation, { path: malformed, headers: foreign })).status).toBe(400);
    expect(
      (await ask(operation, { ...text, headers: { ...text.headers, ...foreign } })).status,
    ).toBe(403);
    if (takesJson(operation))
      expect(
        (await ask(operation, { body: '{', headers: { 'content-type': 'text/plain' } })).status,
      ).toBe(415);
    if (operation.body && operation.notFound.length > 0) {
      const missing = pathOf(operation, { vehicleId: 'DE*ABC*nowhere' });
      expect((await ask(operation, { path: missing, body: '{"nonsense":1}' })).status).toBe(400);
    }
  });

  test.runIf(operation.notFound.length > 0)(
    '404 for what does not exist and, just the same, for another provider’s',
    async () => {
      const ids = Object.keys(operation.parameters);
      for (const name of ids) {
        for (const value of [
          'DE*ABC*nowhere',
          'FR*XYZ*V0001',
          '00000000-0000-4000-8000-000000000000',
        ]) {
          expect(
            (await ask(operation, { path: pathOf(operation, { [name]: value }) })).status,
          ).toBe(404);
        }
      }
    },
  );

  test('405 with Allow for every method that its path does not answer', async () => {
    const here = operations
      .filter(({ path }) => path === operation.path)
      .map(({ method }) => method as string);
    const allowed = here.includes('GET') ? [...here, 'HEAD'] : here;
    for (const method of METHODS.filter((one) => one !== 'CONNECT' && !allowed.includes(one))) {
      const { status, headers } = await service.send({ method, path: pathOf(operation) });
      expect(status, method).toBe(405);
      expect(String(headers.allow).split(', ').sort(), method).toEqual([...allowed].sort());
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
        expect(
          (await ask(operation, { body: '{}', headers: { 'content-type': type } })).status,
          type,
        ).toBe(415);
      }
      const tooMuch = ' '.repeat(limitOf(operation) + 1);
      const chunked = { 'transfer-encoding': 'chunked', 'content-length': undefined };
      for (const headers of [{}, chunked]) {
        const { status, json } = await ask(operation, { body: tooMuch, headers });
        expect(status).toBe(413);
        expect(json.detail).toContain(`${limitOf(operation)} bytes`);
      }
    },
  );

  test.runIf(takesJson(operation))(
    '400 for a body that is no JSON, no text, or that no operation has',
    async () => {
      for (const [name, body] of Object.entries(brokenBodies)) {
        const { status, json } = await ask(operation, { body });
        if (operation.batch && isArray(body)) {
          expect([status, json.results?.[0]?.result], name).toEqual([200, 'rejected']);
          continue;
        }
        expect(status, name).toBe(400);
        expect(json.errors.length, name).toBeGreaterThan(0);
      }
      expect(({} as { admin?: boolean }).admin).toBeUndefined();
    },
  );

  test.runIf(exampleOf(operation))(
    'no value in any place of its body gives a 5xx, and a wrong type is named',
    async () => {
      for (const path of leaves(exampleOf(operation))) {
        for (const value of hostileValues) {
          const { status } = await ask(operation, {
            body: withValue(exampleOf(operation), path, value),
          });
          expect(status, `${path.join('.')} = ${value.slice(0, 40)}`).toBeLessThan(500);
        }
        const answer = await ask(operation, {
          body: withValue(exampleOf(operation), path, '{"a":[1e400]}'),
        });
        const { pointer, errors } = faultsAt(operation, path, answer);
        expect(
          errors.some((error) => error.pointer.startsWith(pointer)),
          `${pointer} in ${JSON.stringify(errors)}`,
        ).toBe(true);
      }
    },
  );

  test.runIf(exampleOf(operation))(
    'an unknown property anywhere in its body is refused with the known ones',
    async () => {
      for (const path of objects(exampleOf(operation))) {
        const wrong = [...path, 'nonsense'];
        const answer = await ask(operation, { body: withValue(exampleOf(operation), wrong, '1') });
        const { errors } = faultsAt(operation, wrong, answer);
        expect(errors[0]?.detail).toMatch(/"nonsense" is not a known property: known are \w+/);
      }
    },
  );

  test('400 for a parameter of the query that it does not know, with the known ones', async () => {
    const known = Object.keys(operation.query?.schema.properties ?? {});
    const { status, json } = await ask(operation, { path: `${pathOf(operation)}?nonsense=1` });
    expect(status).toBe(400);
    expect(json.errors).toEqual([
      { pointer: '?nonsense', detail: expect.stringContaining(known.join(', ')) },
    ]);
    for (const query of ['__proto__=1', 'nonsense=%00', '%00=1', 'a[]=1&a[]=2', 'a=1&a=2']) {
      expect((await ask(operation, { path: `${pathOf(operation)}?${query}` })).status, query).toBe(
        400,
      );
    }
    for (const name of known) {
      for (const value of [
        '',
        '%00',
        '-1',
        '1e400',
        '%5B',
        '%7B%7D',
        '%5B1%5D',
        'x'.repeat(5_000),
        '%ff',
      ]) {
        const { status } = await ask(operation, { path: `${pathOf(operation)}?${name}=${value}` });
        expect(status, `${name}=${value.slice(0, 20)}`).toBeLessThan(500);
      }
    }
  });

  test('no path gives a 5xx', async () => {
    const names = [
      'assetProviderCountryCode',
      'assetProviderCode',
      ...Object.keys(operation.parameters),
    ];
    for (const name of names) {
      for (const [value, status] of hostileSegments) {
        const answer = await ask(operation, { path: pathOf(operation, { [name]: value }) });
        const where = `${name} = ${value.slice(0, 20)}`;
        expect(answer.status, where).toBeGreaterThanOrEqual(400);
        expect(answer.status, where).toBeLessThan(500);
        if (status) expect(answer.status, where).toBe(status);
      }
    }
    expect((await ask(operation, { path: pathOf(operation) + '/'.repeat(100) })).status).toBe(404);
    const tooLong = await service.send({
      method: operation.method,
      path: `/${'x'.repeat(17_000)}`,
    });
    expect(tooLong.json).toMatchObject({ status: 431, requestId: tooLong.headers['x-request-id'] });
  });
});

const hostileSegments: [string, number?][] = [
  ['x'.repeat(10_000)],
  ['%F0%9F%9A%97'.repeat(700)],
  ['%00', 400],
  ['D%00', 400],
  ['DE*ABC*%00', 400],
  ['%2F'],
  ['..%2F..%2Fetc%2Fpasswd'],
  ['%zz', 400],
  ['%', 400],
  ['%ff', 400],
  ['%ED%A0%80', 400],
  ["'%20or%201=1--"],
  ['%25'],
  ['__proto__'],
  ['%0d%0aSet-Cookie:%20a=b'],
];

const deep = (open: string, close: string) => open.repeat(50_000) + close.repeat(50_000);

const brokenBodies: Record<string, string | Buffer> = {
  'half a body': '{"a":',
  'a stray comma': '{"a":1,}',
  'single quotes': "{'a':1}",
  NaN: '{"a":NaN}',
  'broken UTF-8': Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d]),
  'an overlong encoding': Buffer.from([0x7b, 0x22, 0xc0, 0x80, 0x22, 0x3a, 0x31, 0x7d]),
  'a surrogate in UTF-8': Buffer.from([0x7b, 0x22, 0xed, 0xa0, 0x80, 0x22, 0x3a, 0x31, 0x7d]),
  'UTF-16': Buffer.from('{"a":1}', 'utf16le'),
  'a NUL byte': Buffer.from([0x7b, 0x22, 0x00, 0x22, 0x3a, 0x31, 0x7d]),
  'an escaped NUL in a name': '{"\\u0000":1}',
  'an escaped NUL in a value': '{"title":"\\u0000"}',
  'a lone surrogate': '{"title":"\\ud800"}',
  'a lone surrogate in a name': '{"\\udc00":1}',
  '50,000 brackets': deep('[', ']'),
  '50,000 braces': deep('{"a":', '}').replace(':}', ':1}'),
  '50,000 open brackets': '['.repeat(50_000),
  '500,000 numbers': `{"filters":[${'1,'.repeat(500_000)}1]}`,
  'a prototype': '{"__proto__":{"admin":true}}',
  'a constructor': '{"constructor":{"prototype":{"admin":true}}}',
  'an unknown property': '{"nonsense":1}',
  'a number past all bounds': '{"nonsense":1e400}',
  'an array': '[1]',
  'a number': '7',
  'a string': '"x"',
  null: 'null',
  true: 'true',
};

function isArray(body: string | Buffer): boolean {
  return typeof body === 'string' && body.startsWith('[') && body.endsWith(']');
}

const hostileValues = [
  'null',
  'true',
  '0',
  '-1',
  '1.5',
  '1e308',
  '-1e308',
  '1e400',
  '9007199254740993',
  '""',
  '"x"',
  '"%"',
  '"2024-02-30"',
  '"0000-01-01"',
  '"9999-12-31T23:59:59Z"',
  '"9999-12-31T23:59:59.9995Z"',
  '"9999-12-31T23:59:59.999999999Z"',
  '"0001-01-01T00:00:00.0000001Z"',
  '"\\u0000"',
  '"\\ud83d"',
  '"🚗"',
  '[]',
  '[[]]',
  '{}',
  '[null]',
  JSON.stringify('x'.repeat(100_000)),
  JSON.stringify(Array.from({ length: 5_000 }, () => 'x')),
];

type Path = (string | number)[];

function leaves(value: unknown, path: Path = []): Path[] {
  if (typeof value !== 'object' || value === null) return path.length > 0 ? [path] : [];
  const below = Object.entries(value).flatMap(([key, child]) =>
    leaves(child, [...path, Array.isArray(value) ? Number(key) : key]),
  );
  return path.length > 0 ? [path, ...below] : below;
}

function objects(value: unknown, path: Path = []): Path[] {
  if (typeof value !== 'object' || value === null) return [];
  const below = Object.entries(value).flatMap(([key, child]) => objects(child, [...path, key]));
  return Array.isArray(value) ? below : [path, ...below];
}

/** The example as JSON, with raw JSON at one place of it. */
function withValue(example: unknown, path: Path, raw: string): string {
  const mark = '"hostile value"';
  const copy = structuredClone(example) as Record<string, unknown>;
  let at = copy;
  for (const key of path.slice(0, -1)) at = at[key] as Record<string, unknown>;
  at[path.at(-1) as string] = JSON.parse(mark);
  return JSON.stringify(copy).replace(mark, () => raw);
}
