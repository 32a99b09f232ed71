import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { operations } from './fleet/index.ts';
import { basePath } from './platform/http/operation.ts';
import { type ContractClient, contractClient } from './testing/contract/contract-client.ts';
import { type ContractData, seedContractData } from './testing/contract/contract-data.ts';
import { type AnyOperation, examplesOf, providers } from './testing/contract/requests.ts';
import { loadSeeds } from './testing/contract/seed.ts';
import { documentedOperations, requestSchemas } from './testing/fuzz/documented-operations.ts';
import type { Answer } from './testing/http-client.ts';
import { startTestService, type TestService } from './testing/test-service.ts';
import { startTrapServer } from './testing/trap-server.ts';

/**
 * OWASP API Security Top 10 of 2023, items 7, 8 and 9: requests of the server, configuration, inventory. That every path
 * answers other methods with 405 is in fleet/contract.test.ts.
 */

let service: TestService;
let data: ContractData;
let client: ContractClient;

beforeAll(async () => {
  service = await startTestService();
  data = await seedContractData(service, await loadSeeds(), providers['DE-ABC']);
  client = contractClient(service, data);
  await data.enter('shared');
});
afterAll(() => service.stop());

const named = (list: readonly AnyOperation[]) =>
  list.map((operation) => ({ name: operation.id, operation }));

describe('API7: requests that the server makes', () => {
  test('few properties of requests are addresses', () => {
    const addresses = documentedOperations
      .flatMap(requestSchemas)
      .filter(
        ({ at, schema }) =>
          /^(?:uri|url|iri|hostname)/.test(schema.format ?? '') ||
          /\.\w*(?:ur[il]|href|link|host|callback|webhook)$/i.test(at),
      )
      .map(({ at }) => at);
    expect(addresses).toEqual([
      'putVehicle.asset.defaultImage',
      // Checked when connecting: fleet/webhooks/webhook-settings.test.ts.
      'createWebhook.url',
      'putWebhook.url',
    ]);
  });

  test('the server never requests the image of a vehicle', async () => {
    const trap = await startTrapServer();
    try {
      const asset = { defaultImage: `${trap.url}/image.png` };
      const written = await service.call('PUT', '/DE*ABC*trap', {
        asset,
        information: { vendor: 'VW' },
      });
      expect(written.status).toBe(201);
      await service.runJobs();
      const read = await service.call('GET', '/DE*ABC*trap');
      expect(read.json.asset.defaultImage).toBe(asset.defaultImage);
      expect(trap.requested).toEqual([]);
    } finally {
      await trap.stop();
    }
  });

  test('no header makes it request anything', async () => {
    const trap = await startTrapServer();
    try {
      const { host } = new URL(trap.url);
      const headers = {
        'x-forwarded-host': host,
        forwarded: `host=${host}`,
        referer: trap.url,
        from: trap.url,
        origin: trap.url,
        'x-original-url': trap.url,
      };
      for (const operation of operations) await client.send(operation, { headers });
      await service.runJobs();
      expect(trap.requested).toEqual([]);
    } finally {
      await trap.stop();
    }
  });
});

describe('API8: security configuration', () => {
  function requireHardened({ headers, text, status }: Answer, name: string): void {
    expect(headers, name).toMatchObject({
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'referrer-policy': 'no-referrer',
      'cross-origin-resource-policy': 'same-origin',
      'content-security-policy': expect.stringMatching(/default-src 'none'|sandbox/),
      ...(status < 400 && { 'cache-control': expect.stringContaining('no-') }),
    });
    for (const header of [
      'server',
      'x-powered-by',
      'via',
      'set-cookie',
      'access-control-allow-origin',
    ])
      expect(headers[header], `${name}: ${header}`).toBeUndefined();
    if (status >= 400)
      expect(text).not.toMatch(/node_modules|\.ts:\d|at \w+ \(|select |insert |pg_/);
  }

  test.each(named(operations))(
    '$name answers every status with the security headers, and nobody else’s scripts',
    async ({ operation }) => {
      await data.enter('shared');
      const origin = 'https://elsewhere.example.com';
      const [body] = examplesOf(operation);
      const example =
        body instanceof Buffer ? { body, headers: { origin } } : { headers: { origin } };
      requireHardened(await client.send(operation, example), 'success');
      requireHardened(
        await client.send(operation, { headers: { authorization: undefined, origin } }),
        '401',
      );
      requireHardened(
        await client.send(operation, {
          path: `${client.path(operation)}?nonsense=1`,
          headers: { origin },
        }),
        '400',
      );
      const preflight = {
        origin,
        'access-control-request-method': operation.method,
        'access-control-request-headers': 'authorization',
      };
      const answer = await service.send({
        method: 'OPTIONS',
        path: client.path(operation),
        headers: preflight,
      });
      expect(answer.status).toBe(405);
      requireHardened(answer, 'preflight');
    },
  );

  test('TRACE echoes nothing', async () => {
    for (const path of [
      '/',
      '/health/live',
      '/docs',
      '/realms/DE-ABC/protocol/openid-connect/token',
      client.path(operations[0] as AnyOperation),
    ]) {
      const { status, text } = await service.send({
        method: 'TRACE',
        path,
        headers: { 'x-echo': 'find-me' },
      });
      expect([path, status >= 400 && status < 500]).toEqual([path, true]);
      expect(text).not.toContain('find-me');
    }
  });

  test('what the client says of the host is in no answer', async () => {
    const headers = {
      host: 'evil.example.com',
      'x-forwarded-host': 'evil.example.com',
      'x-forwarded-proto': 'javascript',
      forwarded: 'host=evil.example.com',
    };
    for (const path of [
      '/.well-known/openid-configuration',
      '/protocol/openid-connect/auth?client_id=x',
      '/protocol/openid-connect/logout',
    ]) {
      const { headers: received, text } = await service.send({
        path: `/realms/DE-ABC${path}`,
        headers,
      });
      expect(JSON.stringify(received) + text).not.toMatch(/evil|javascript:/);
    }
    const created = await service.call(
      'PUT',
      '/DE*ABC*hosted',
      { information: { vendor: 'VW' } },
      headers,
    );
    expect(JSON.stringify(created.headers) + created.text).not.toContain('evil');
  });

  test('no file of the machine is served', async () => {
    for (const path of [
      '/.env',
      '/.git/config',
      '/docs/assets/package.json',
      '/docs/assets/..%2fpackage.json',
      '/docs/assets/../../../package.json',
      '/docs/assets/%2e%2e/%2e%2e/package.json',
      '/docs/assets/swagger-ui.css%00.json',
    ]) {
      const { status } = await service.send({ path });
      expect([path, status === 404 || status === 400 || status === 403]).toEqual([path, true]);
    }
  });
});

describe('API9: inventory', () => {
  /** What the server answers beyond the documented operations, each with its reason. */
  const undocumented = {
    operators: ['/health', '/health/live', '/health/ready', '/metrics'],
    readers: [
      '/',
      '/openapi.json',
      '/docs',
      '/docs/reference.css',
      '/docs/reference.js',
      '/docs/assets/:file',
    ],
    guides: ['/docs/guides', '/docs/guides/:page', '/problems/:kind'],
    console: [
      '/console',
      '/console*',
      '/console/color-scheme.js',
      '/console/icon.svg',
      '/console/settings.json',
    ],
    pictures: ['/vehicle-images/:file'],
    // Pages for people, and what OpenID Connect and Keycloak define, most of which discovery names.
    openId: [
      '/.well-known/openid-configuration',
      '/protocol/openid-connect/3p-cookies/step1.html',
      '/protocol/openid-connect/3p-cookies/step2.html',
      '/protocol/openid-connect/login-status-iframe.html',
      '/protocol/openid-connect/login-status-iframe.html/init',
      '/protocol/openid-connect/auth',
      '/protocol/openid-connect/auth/:uid',
      '/protocol/openid-connect/logout/confirm',
      '/protocol/openid-connect/logout/success',
      '/login/:uid',
      '/account',
      '/invitation',
    ].map((path) => `/realms/:realm${path}`),
  };

  test('every route is documented, or on a short list', () => {
    const routes = routesOf(service.routes());
    const documented = documentedOperations.map(({ path }) => path.replaceAll(/\{(\w+)\}/g, ':$1'));
    const expected = new Set([...documented, ...Object.values(undocumented).flat()]);
    expect(routes.toSorted()).toEqual([...expected].sort());
  });

  /** The paths in the tree that Fastify prints, of which each line has the part below its parent. */
  function routesOf(tree: string): string[] {
    const parents: string[] = [];
    return tree.split('\n').flatMap((line) => {
      const [, indent = '', part = '', methods] =
        /^([│├└─ ]*)(\S+)(?: \((.+)\))?$/.exec(line) ?? [];
      if (!part) return [];
      const depth = indent.length / 4;
      parents[depth] = (depth > 1 ? parents[depth - 1] : '') + part;
      return methods ? [parents[depth] ?? ''] : [];
    });
  }

  test('there is one version, and no other answers', async () => {
    expect(operations.length).toBeGreaterThan(0);
    const versions = documentedOperations.map(
      ({ path }) => /^\/api\/fleets\/(v\d+)\//.exec(path)?.[1],
    );
    expect(new Set(versions.filter((version) => version !== undefined))).toEqual(new Set(['v1']));
    const headers = { authorization: `Bearer ${await service.token()}` };
    for (const version of ['v0', 'v2', 'beta', 'internal', 'admin', 'V1']) {
      const path = basePath
        .replace('v1', version)
        .replace('{assetProviderCountryCode}', 'DE')
        .replace('{assetProviderCode}', 'ABC');
      expect(
        (await service.send({ method: 'POST', path: `${path}/vehicles`, headers })).status,
      ).toBe(404);
    }
  });

  test('the served document is the one that the answers are held against', async () => {
    const { json } = await service.send({ path: '/openapi.json' });
    const served = Object.entries(json.paths as Record<string, object>).flatMap(([path, item]) =>
      Object.keys(item)
        .filter((key) => key !== 'parameters')
        .map((method) => `${method.toUpperCase()} ${path}`),
    );
    const held = documentedOperations.map(({ method, path }) => `${method} ${path}`);
    // Pages for people, which have no answer to hold against it.
    const pages = ['auth', 'logout'].map(
      (name) => `GET /realms/{realm}/protocol/openid-connect/${name}`,
    );
    expect(served.filter((one) => !pages.includes(one))).toEqual(held);
    expect(served).toEqual(expect.arrayContaining(pages));
  });
});
