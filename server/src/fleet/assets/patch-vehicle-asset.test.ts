import { afterAll, beforeAll, expect, test } from 'vitest';
import { problemType } from '../../testing/problem-type.ts';
import { startTestService, type TestService } from '../../testing/test-service.ts';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());

let made = 0;
async function newVehicle(information: object = {}): Promise<string> {
  const id = `DE*ABC*V${++made}`;
  const answer = await service.call('PUT', `/${id}`, { information });
  expect(answer.status).toBe(201);
  return id;
}
const patch = (id: string, active: boolean, headers: Record<string, string> = {}) =>
  service.call('PATCH', `/${id}/asset`, { active }, headers);
const message = (minutes = 0) => ({
  timestamp: new Date(Date.now() - 3_600_000 + minutes * 60_000).toISOString(),
  odometer: 1_000 + minutes,
});

test('deactivates and activates: the vehicle, its search and its ETag follow', async () => {
  const id = await newVehicle({ vendor: 'VW' });
  const before = await service.call('GET', `/${id}`);
  const off = await patch(id, false, { 'if-match': String(before.headers.etag) });
  expect(off.status).toBe(200);
  expect(off.json).toEqual({ ...before.json, asset: { ...before.json.asset, active: false } });
  expect(off.headers.etag).not.toBe(before.headers.etag);
  const filters = [
    { field: 'asset.id', value: id },
    { field: 'asset.active', value: false },
  ];
  expect((await service.call('POST', '/vehicles', { filters })).json.items).toEqual([off.json]);
  const again = await patch(id, false);
  expect([again.status, again.headers.etag]).toEqual([200, off.headers.etag]);
  expect((await patch(id, true, { 'if-match': String(before.headers.etag) })).status).toBe(412);
  const on = await patch(id, true);
  expect(on.json).toEqual(before.json);
});

test('is refused where another active vehicle has the VIN', async () => {
  const vin = 'WVWZZZE1ZNP000001';
  const id = await newVehicle({ vin });
  await patch(id, false);
  const other = await newVehicle({ vin });
  const refused = await patch(id, true);
  expect([refused.status, refused.json.detail]).toEqual([409, expect.stringContaining(other)]);
  expect((await service.call('GET', `/${id}`)).json.asset.active).toBe(false);
});

test('takes nothing but the flag', async () => {
  const id = await newVehicle();
  for (const body of [{}, { active: 'no' }, { active: null }, { active: true, blobUuid: 'x' }, []])
    expect((await service.call('PATCH', `/${id}/asset`, body)).status).toBe(400);
  expect((await patch('DE*ABC*nowhere', true)).status).toBe(404);
});

test('telemetry of a vehicle that is deactivated is rejected with that reason, until it is activated', async () => {
  const [idle, busy] = [await newVehicle(), await newVehicle()];
  await service.call('PUT', `/${idle}/status`, message());
  await service.call('PUT', '/databoxes/BX-1', { vehicleId: idle });
  await patch(idle, false);
  const before = (await service.call('GET', `/${idle}`)).json;

  const one = await service.call('PUT', `/${idle}/status`, message(1));
  expect([one.status, one.json.type]).toEqual([409, problemType('vehicle-inactive')]);
  const { json } = await service.call('POST', '/databox/messages', [
    { vehicleId: idle, ...message(2) },
    { vehicleId: busy, ...message(2) },
    { serial: 'BX-1', ...message(3) },
    { vehicleId: idle, ...message(-2) },
  ]);
  const rejected = { result: 'rejected', reason: 'inactive_vehicle' };
  expect(json.results).toMatchObject([rejected, { result: 'accepted' }, rejected, rejected]);
  expect((await service.call('GET', `/${idle}`)).json).toEqual(before);
  const kept = 'select count(*) as count from vehicle_history where vehicle_id = $1';
  expect(await service.db.query(kept, [idle])).toEqual([{ count: 1 }]);

  await patch(idle, true);
  const accepted = await service.call('PUT', `/${idle}/status`, message(4));
  expect([accepted.status, accepted.json.status.odometer]).toEqual([200, 1_004]);
});

test('a vehicle that is deactivated leaves estimates and plans, and comes back to them', async () => {
  const id = await newVehicle({ vendor: 'VW', model: 'Golf', firstRegistrationDate: '2024-02-01' });
  await service.call('POST', '/maintenance-schedules', { title: 'Service', intervalMonths: 12 });
  await service.runJobs();
  const inspection = async () => (await service.call('GET', `/${id}/inspection`)).json;
  const planned = async () => {
    const { json } = await service.call('POST', '/maintenance', {
      filters: [{ field: 'vehicleId', value: id }],
    });
    return Object.values<{ type: string; dueDate: string }>(json.items).map(({ type, dueDate }) => [
      type,
      dueDate,
    ]);
  };
  const before = [(await inspection()).estimatedDate, await planned()];
  expect(before[1]).toHaveLength(2);

  await patch(id, false);
  await service.runJobs();
  expect(await inspection()).toMatchObject({
    status: 'unknown',
    reason: 'The vehicle is deactivated.',
  });
  expect(await planned()).toEqual([]);
  await service.call('PATCH', `/${id}/inspection`);
  await service.runJobs();
  expect(await planned()).toEqual([]);

  await patch(id, true);
  await service.runJobs();
  expect([(await inspection()).estimatedDate, await planned()]).toEqual(before);
});
