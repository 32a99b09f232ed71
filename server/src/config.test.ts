import { expect, test } from 'vitest';
import { listSettings, loadConfig } from './config.ts';
import { UserError } from './platform/user-error.ts';

test('every setting has a default that it takes, and an empty variable counts as not set', () => {
  const defaults = loadConfig({});
  const empty = Object.fromEntries(listSettings().map(({ name }) => [name, '']));
  expect(loadConfig(empty)).toEqual(defaults);
  expect(Object.keys(defaults)).toEqual(listSettings().map(({ name }) => name));
  for (const { description } of listSettings()) expect(description).toMatch(/\.$/);
});

test.each([
  ['PORT', ['-1', '80.5', '65536', '0x50', ' 80', '8080 ']],
  ['METRICS_PORT', ['-1', '65536', 'on']],
  ['PUBLIC_URL', ['foo', 'ftp://fleet.example.com', 'https://example.com/fleet', 'https://u@x.de']],
  ['DATABASE_URL', ['mysql://root:hidden@db/x', 'postgres://u:hidden@[::/x', 'db.example.com']],
  ['DATABASE_READ_URL', ['mysql://root:hidden@db/x', 'postgres://u:hidden@a,b/x']],
  ['DATABASE_POOL_SIZE', ['0', '1001', 'ten']],
  ['STATEMENT_TIMEOUT_MS', ['99', '1e9']],
  ['AUTH_ISSUER', ['https://id.example.com', '{realm}', 'https://x/{realm}/{realm}']],
  [
    'AUTH_ISSUER',
    [
      'http://id.example.com/{realm}',
      'http://{realm}.localhost/',
      'http://127.0.0.1.example.com/{realm}',
      'http://localhost@id.example.com/{realm}',
      'https://user:hidden@id.example.com/{realm}',
      'https://id.example.com/?realm={realm}',
      'https://id.example.com/#{realm}',
    ],
  ],
  [
    'MQTT_URL',
    [
      'broker.example.com',
      'http://broker.example.com',
      'mqtt://',
      'mqtt://user:hidden@',
      'mqtts://user:hidden@broker/path',
      'mqtts://user:hidden%zz@broker',
      'mqtt://user:hidden@broker?clean=true',
    ],
  ],
  ['MQTT_CLIENT_ID', ['a/b', 'a b', '+', 'x'.repeat(65)]],
  ['AUTH_AUDIENCE', [',', 'fleet,', ' ', 'fleet,,motorpool']],
  [
    'TRUST_PROXY',
    [
      'true',
      'yes',
      '0',
      '11',
      'TRUE',
      '10.0.0.0/33',
      '0.0.0.0/0',
      '127.0.0.1/000',
      '10.0.0.0/08',
      '10.0.0.0/8,proxy',
    ],
  ],
  ['LOG_LEVEL', ['loud', 'INFO']],
  ['PROCESSES', ['0', '257', 'all', '-1']],
  ['SHUTDOWN_TIMEOUT_MS', ['-5', '600001']],
])('%s that makes no sense is refused by name: %j', (name, values) => {
  for (const value of values) {
    const load = () => loadConfig({ [name]: value });
    expect(load).toThrow(UserError);
    expect(load).toThrow(new RegExp(`^${name}: (must|is not) .*\\.$`));
    expect(load).not.toThrow(/hidden/);
  }
});

test('what makes sense is taken as it is meant', () => {
  expect(
    loadConfig({
      PORT: '0',
      PUBLIC_URL: 'https://fleet.example.com/',
      DATABASE_URL: 'postgresql://fleet:secret@db:5433/motorpool?sslmode=require',
      AUTH_ISSUER: 'https://id.example.com/realms/{realm}/',
      AUTH_AUDIENCE: 'fleet-interface, https://fleet.example.com',
      TRUST_PROXY: '10.0.0.0/8, ::1',
    }),
  ).toMatchObject({
    PORT: 0,
    PUBLIC_URL: 'https://fleet.example.com',
    DATABASE_URL: 'postgresql://fleet:secret@db:5433/motorpool?sslmode=require',
    AUTH_ISSUER: 'https://id.example.com/realms/{realm}',
    AUTH_AUDIENCE: ['fleet-interface', 'https://fleet.example.com'],
    TRUST_PROXY: ['10.0.0.0/8', '::1'],
  });
});

test('the address of a broker has the port of its protocol, and the credentials decoded', () => {
  const brokerOf = (url: string) => loadConfig({ MQTT_URL: url }).MQTT_URL;
  expect(brokerOf('mqtts://fleet:p%40ss%2Fword@broker.example.com')).toEqual({
    protocol: 'mqtts',
    host: 'broker.example.com',
    port: 8883,
    username: 'fleet',
    password: 'p@ss/word',
  });
  expect(brokerOf('wss://broker.example.com/mqtt')).toMatchObject({ port: 443, path: '/mqtt' });
  expect(brokerOf('mqtt://[::1]:1884/')).toMatchObject({ host: '::1', port: 1884 });
});

test('an issuer on this machine may be without TLS', () => {
  for (const host of ['localhost:8080', '127.0.0.1', '127.8.9.10:81', '[::1]:8080']) {
    const issuer = `http://${host}/realms/{realm}`;
    expect(loadConfig({ AUTH_ISSUER: issuer, AUTH_AUDIENCE: 'x' }).AUTH_ISSUER).toBe(issuer);
  }
});

test('an issuer without an audience is refused: its tokens for other applications would count', () => {
  const load = () => loadConfig({ AUTH_ISSUER: 'https://id.example.com/realms/{realm}' });
  expect(load).toThrow(UserError);
  expect(load).toThrow(/^AUTH_AUDIENCE: must .*\.$/);
});

test('origins of pages are a list without paths, all, or none', () => {
  expect(loadConfig({}).CORS_ORIGINS).toEqual([]);
  expect(loadConfig({ CORS_ORIGINS: '*' }).CORS_ORIGINS).toBe('*');
  const listed = { CORS_ORIGINS: 'https://app.example.com, http://localhost:3000' };
  expect(loadConfig(listed).CORS_ORIGINS).toEqual([
    'https://app.example.com',
    'http://localhost:3000',
  ]);
  for (const CORS_ORIGINS of [
    'app.example.com',
    'https://app.example.com/x',
    'https://a.example,*',
  ])
    expect(() => loadConfig({ CORS_ORIGINS })).toThrow(/^CORS_ORIGINS: must .*\.$/);
});

test.each(['PUBLIC_URL', 'CORS_ORIGINS', 'MAP_STYLE_URL', 'AUTH_ISSUER'])(
  'a password in %s is refused, and not repeated',
  (name) => {
    const load = () => loadConfig({ [name]: 'https://someone:hidden@example.com/path' });
    expect(load).toThrow(`${name}: must not contain a user name or a password.`);
    expect(load).not.toThrow('hidden');
  },
);
