import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { addClient } from '../auth/clients.ts';
import { type Role, roles } from '../platform/http/principal.ts';
import { type ContractClient, contractClient } from '../testing/contract/contract-client.ts';
import { seedContractData } from '../testing/contract/contract-data.ts';
import { providers } from '../testing/contract/requests.ts';
import { loadSeeds } from '../testing/contract/seed.ts';
import { problemType } from '../testing/problem-type.ts';
import { requestToken, startTestService, type TestService } from '../testing/test-service.ts';
import { operations } from './index.ts';

/** Every operation with every role: what a role must not do, it cannot. */

let service: TestService;
let client: ContractClient;
const tokens = new Map<Role, string>();

beforeAll(async () => {
  service = await startTestService();
  const data = await seedContractData(service, await loadSeeds(), providers['DE-ABC']);
  await data.enter('shared');
  client = contractClient(service, data);
  for (const role of roles) {
    const { id, secret = '' } = await addClient(service.db, 'DE-ABC', { name: role, role });
    const credentials = { clientId: id, clientSecret: secret };
    const { json } = await requestToken(service.url, 'DE-ABC', credentials);
    tokens.set(role, json.access_token);
  }
});
afterAll(() => service.stop());

/** What the roles mean, said once more and independently of the program. */
const allowed: Record<Role, (operation: (typeof operations)[number]) => boolean> = {
  databox: ({ id }) => ['putVehicleStatus', 'sendDataboxMessages'].includes(id),
  viewer: ({ method, role, id }) =>
    role !== 'admin' && (method === 'GET' || /^(find|list|get|charging)/.test(id)),
  editor: ({ role }) => role !== 'admin',
  admin: () => true,
};

describe.each(operations.map((operation) => ({ name: operation.id, operation })))(
  '$name',
  ({ operation }) => {
    test.each(roles)('as %s', async (role) => {
      // Nothing of that name exists, so that no role changes what the next one finds.
      const values = Object.fromEntries(
        Object.keys(operation.parameters).map((name) => [
          name,
          name === 'vehicleId' ? 'DE*ABC*nowhere' : '00000000-0000-4000-8000-000000000000',
        ]),
      );
      const { status, headers, json } = await client.send(operation, {
        path: client.path(operation, values),
        headers: { authorization: `Bearer ${tokens.get(role)}` },
      });
      if (allowed[role](operation)) {
        expect([401, 403]).not.toContain(status);
        expect(status).toBeLessThan(500);
      } else {
        expect([status, json.type]).toEqual([403, problemType('insufficient-role')]);
        expect(json.detail).toContain(`needs the role ${operation.role}`);
        expect(headers['www-authenticate']).toBe(
          `Bearer realm="DE-ABC", error="insufficient_scope", error_description="the role ${operation.role} is needed"`,
        );
      }
    });
  },
);

test('nothing that a databox is answered tells what others have sent', async () => {
  const vehicleId = 'DE*ABC*ROLES';
  const base = '/api/fleets/v1/DE/ABC';
  const write = { method: 'PUT', headers: { 'content-type': 'application/json' } };
  const sendAs = (role: Role, path: string, body: object) => {
    const headers = { ...write.headers, authorization: `Bearer ${tokens.get(role)}` };
    return service.send({ ...write, path: `${base}${path}`, headers, body: JSON.stringify(body) });
  };
  await sendAs('editor', `/${vehicleId}`, { information: {} });
  const timestamp = new Date(Date.now() - 60_000).toISOString();
  const reported = { timestamp, location: { lat: 51, lng: 7 }, odometer: 45_211 };
  const asEditor = await sendAs('editor', `/${vehicleId}/status`, reported);
  expect(asEditor.json.status).toMatchObject({ location: { lat: 51, lng: 7 } });
  const old = { timestamp: new Date(Date.now() - 86_400_000).toISOString(), fuelLevel: 50 };
  // What is new, what is older, what is less than the known one of that time, the same again, and an odometer that falls.
  const now = new Date().toISOString();
  const probes = [
    old,
    { ...old, timestamp: new Date(Date.now() - 90_000_000).toISOString() },
    { timestamp, location: { lat: -89, lng: -179 } },
    { timestamp, odometer: 45_211 },
    { timestamp: now, odometer: 45_210 },
  ];
  for (const probe of probes) {
    const asBox = await sendAs('databox', `/${vehicleId}/status`, probe);
    expect([asBox.status, asBox.json]).toEqual([200, { result: 'accepted' }]);
  }
  const messages = { method: 'POST', path: `${base}/databox/messages` };
  const { json } = await service.send({
    ...messages,
    headers: { ...write.headers, authorization: `Bearer ${tokens.get('databox')}` },
    body: JSON.stringify(probes.map((probe) => ({ vehicleId, ...probe }))),
  });
  expect(json).toEqual({
    results: probes.map((_, index) => ({ index, result: 'accepted' })),
    counts: { accepted: probes.length, stale: 0, duplicate: 0, rejected: 0 },
  });
});
