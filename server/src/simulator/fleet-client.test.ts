import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { type CuttableProxy, cuttableProxy } from '../testing/cuttable-proxy.ts';
import { testCredentials } from '../testing/global-setup.ts';
import { makeFleet } from '../testing/make-fleet.ts';
import { startTestService, type TestService } from '../testing/test-service.ts';
import { type Access, fleetClient } from './fleet-client.ts';

let service: TestService;
let proxy: CuttableProxy;
let access: Access;

beforeAll(async () => {
  service = await startTestService();
  await makeFleet(service.db, 'DE', 'ABC', 30);
  proxy = await cuttableProxy({ host: '127.0.0.1', port: Number(new URL(service.url).port) });
  const url = `http://127.0.0.1:${proxy.connection.port}`;
  access = { url, countryCode: 'DE', code: 'ABC', ...testCredentials };
});
afterEach(() => vi.useRealTimers());
afterAll(async () => {
  await proxy.cut();
  await service.stop();
});

const vehicleId = 'DE*ABC*T0007';
const messageAt = (timestamp: string, odometer: number) => ({ vehicleId, timestamp, odometer });

test('it finds the vehicles in service, as many as are wanted', async () => {
  const client = fleetClient(access, new AbortController().signal);
  const found = await client.vehicles(5);
  expect(found).toHaveLength(5);
  expect(found.every(({ asset }) => asset.active)).toBe(true);
  expect(await client.vehicles(1_000)).toHaveLength(29);
});

test('those that drive come first', async () => {
  await service.call('PUT', `/${vehicleId}/status`, {
    timestamp: new Date().toISOString(),
    engineActive: true,
  });
  const client = fleetClient(access, new AbortController().signal);
  const drives = (await client.vehicles(1_000)).map(({ status }) =>
    Number(status.engineActive ?? 0),
  );
  expect(new Set(drives)).toEqual(new Set([1, 0]));
  expect(drives).toEqual(drives.toSorted((one, other) => other - one));
});

test('it leaves out those that an open incident keeps off the road', async () => {
  const client = fleetClient(access, new AbortController().signal);
  const ids = async () => (await client.vehicles(1_000)).map(({ asset }) => asset.id);
  expect(await ids()).toContain(vehicleId);
  const incident = { title: 'Hit a wall', vehicleOperable: false, isResolved: false };
  const { json } = await service.call('POST', `/${vehicleId}/incidents`, incident);
  expect(await ids()).not.toContain(vehicleId);
  const resolved = { ...incident, isResolved: true };
  await service.call('PUT', `/${vehicleId}/incidents/${json.id}`, resolved);
  expect(await ids()).toContain(vehicleId);
});

test('while the service is unavailable it retries', async () => {
  const client = fleetClient(access, new AbortController().signal);
  await client.vehicles(1);
  await proxy.cut();
  const sent = client.send([messageAt(new Date().toISOString(), 978)]);
  await proxy.restore();
  expect(await sent).toEqual({ accepted: 1, stale: 0, duplicate: 0, rejected: 0 });
  const { json } = await service.call('GET', `/${vehicleId}`);
  expect(json.status.odometer).toBe(978);
});

test('an expired token is renewed', async () => {
  const client = fleetClient(access, new AbortController().signal);
  await client.vehicles(1);
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 3_600_000 });
  expect(await client.vehicles(1)).toHaveLength(1);
});

test('a rejection is reported, and not retried', async () => {
  const { signal } = new AbortController();
  const stranger = fleetClient({ ...access, clientSecret: 'wrong' }, signal);
  await expect(stranger.vehicles(1)).rejects.toThrow(
    /^The service refused the token request with 401: /,
  );
});

test('an aborted signal ends the retries', async () => {
  const controller = new AbortController();
  const client = fleetClient(access, controller.signal);
  await client.vehicles(1);
  await proxy.cut();
  const sent = client.vehicles(1);
  controller.abort(new Error('enough'));
  await expect(sent).rejects.toThrow('enough');
  await proxy.restore();
});
