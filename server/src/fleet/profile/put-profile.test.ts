import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { requestToken, startTestService, type TestService } from '../../testing/test-service.ts';
import { exampleRequest } from './profile.ts';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());
beforeEach(() => service.db.query('delete from provider_profiles'));

const path = '/profile';
const put = (body: unknown, headers = {}) => service.call('PUT', path, body, headers);
const get = () => service.call('GET', path);

test('a provider that never wrote its profile has the defaults of its country', async () => {
  const [{ name }] = (await service.db.query<{ name: string }>(
    "select name from providers where id = 'DE-ABC'",
  )) as [{ name: string }];
  const { status, headers, json } = await get();
  expect([status, headers.etag]).toEqual([200, expect.stringMatching(/^"0\./)]);
  expect(json).toEqual({
    name,
    timeZone: 'Europe/Berlin',
    locale: 'de-DE',
    currency: 'EUR',
    defaultUsage: 'private',
    erasePositionsWithCustomer: false,
  });
});

test('what is written is read, and what is left out falls back to its default', async () => {
  const written = await put(exampleRequest);
  expect(written.status).toBe(200);
  expect(written.json).toEqual({ ...exampleRequest, updatedAt: expect.any(String) });
  expect((await get()).json).toEqual(written.json);
  const sentBack = await put({ ...written.json, timeZone: null, contact: null });
  const { contact: _, ...rest } = exampleRequest;
  expect(sentBack.json).toMatchObject({ ...rest, timeZone: 'Europe/Berlin' });
  expect(sentBack.json).not.toHaveProperty('contact');
  expect((await put({ name: 'Hafen Mobil' })).json).toEqual({
    name: 'Hafen Mobil',
    timeZone: 'Europe/Berlin',
    locale: 'de-DE',
    currency: 'EUR',
    defaultUsage: 'private',
    erasePositionsWithCustomer: false,
    updatedAt: expect.any(String),
  });
});

test('a language tag is stored in its canonical form', async () => {
  expect((await put({ name: 'A', locale: 'DE-ch' })).json.locale).toBe('de-CH');
});

test('every issue is named', async () => {
  const { status, json } = await put({
    name: '',
    timeZone: 'Europe/Bonn',
    locale: 'xx_YY',
    currency: 'EUX',
    vatId: '123',
    address: { countryCode: 'UK' },
    contact: { email: 'nobody' },
    positionRetentionDays: 0,
    electricityPricePerKwh: -1,
    defaultVehicleClass: 'M4',
    defaultUsage: 'racing',
  });
  expect(status).toBe(400);
  expect(json.errors.map(({ pointer }: { pointer: string }) => pointer).sort()).toEqual([
    '/address/countryCode',
    '/contact/email',
    '/currency',
    '/defaultUsage',
    '/defaultVehicleClass',
    '/electricityPricePerKwh',
    '/locale',
    '/name',
    '/positionRetentionDays',
    '/timeZone',
    '/vatId',
  ]);
  expect((await put({ name: 'A', timeZone: 'europe/berlin' })).json.detail).toBe(
    'timeZone: europe/berlin is spelt Europe/Berlin.',
  );
  for (const timeZone of ['+01:00', 'ECT', 'SystemV/PST8PDT'])
    expect((await put({ name: 'A', timeZone })).status, timeZone).toBe(400);
});

test('If-Match also protects the first write', async () => {
  const writes = ['A', 'B', 'C', 'D'].map((name) => put({ name }, { 'if-match': '"0"' }));
  const statuses = (await Promise.all(writes)).map(({ status }) => status);
  expect(statuses.sort()).toEqual([200, 412, 412, 412]);
  expect((await get()).headers.etag).toMatch(/^"1\./);
});

test('a viewer reads it, and only an administrator writes it', async () => {
  for (const role of ['viewer', 'editor', 'databox', 'admin']) {
    const { json } = await service.call('POST', '/administration/clients', { name: role, role });
    const credentials = { clientId: json.id, clientSecret: json.secret };
    const { json: token } = await requestToken(service.url, 'DE-ABC', credentials);
    const headers = { authorization: `Bearer ${token.access_token}` };
    const read = await service.call('GET', path, undefined, headers);
    expect(read.status, role).toBe(role === 'databox' ? 403 : 200);
    expect((await put({ name: role }, headers)).status, role).toBe(role === 'admin' ? 200 : 403);
  }
});

test('the audit trail tells who changed what', async () => {
  await put({ name: 'Before', currency: 'EUR' });
  await put({ name: 'After', currency: 'CHF' });
  const { json } = await service.call('POST', '/audit/search', {
    filters: [{ field: 'type', operator: 'in', value: ['profile', 'provider'] }],
  });
  const changes = json.items.slice(0, 2).map(({ changes }: { changes: unknown }) => changes);
  expect(changes).toEqual(
    expect.arrayContaining([
      { name: { before: 'Before', after: 'After' } },
      { currency: { before: 'EUR', after: 'CHF' } },
    ]),
  );
});

test('a provider neither reads nor writes the profile of another', async () => {
  await put(exampleRequest);
  const headers = { authorization: `Bearer ${await service.token('FR-XYZ')}` };
  expect((await put({ name: 'X' }, headers)).status).toBe(403);
  const theirs = await service.send({
    method: 'GET',
    path: '/api/fleets/v1/FR/XYZ/profile',
    headers,
  });
  expect(theirs.json).toMatchObject({ timeZone: 'Europe/Paris', locale: 'fr-FR' });
  expect(theirs.json).not.toHaveProperty('vatId');
});
