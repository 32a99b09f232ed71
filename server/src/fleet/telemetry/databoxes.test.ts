import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { makeFleet } from '../../testing/make-fleet.ts';
import { startTestService, type TestService } from '../../testing/test-service.ts';

let service: TestService;
const vehicle = 'DE*ABC*T0000';
const other = 'DE*ABC*T0007';

beforeAll(async () => {
  service = await startTestService();
  await makeFleet(service.db, 'FR', 'XYZ', 1);
});
afterAll(() => service.stop());
beforeEach(async () => {
  await makeFleet(service.db, 'DE', 'ABC', 60);
  await service.db.query('delete from databoxes');
});

function pair(serial: string, vehicleId: string) {
  return service.call('PUT', `/databoxes/${serial}`, { vehicleId });
}

test('a box is paired (201), stays (200), is read, is unpaired (204), and then gone (404)', async () => {
  const made = await pair('BX-0001', vehicle);
  expect([made.status, made.json]).toEqual([
    201,
    {
      serial: 'BX-0001',
      vehicleId: vehicle,
      pairedAt: expect.stringMatching(/Z$/),
      updatedAt: made.json.pairedAt,
    },
  ]);
  const same = await pair('BX-0001', vehicle);
  expect([same.status, same.json]).toEqual([
    200,
    { ...made.json, updatedAt: expect.stringMatching(/Z$/) },
  ]);
  expect((await service.call('GET', '/databoxes/BX-0001')).json).toEqual(same.json);
  expect((await service.call('DELETE', '/databoxes/BX-0001')).status).toBe(204);
  for (const method of ['DELETE', 'GET']) {
    expect((await service.call(method, '/databoxes/BX-0001')).status).toBe(404);
  }
});

test('a box changes over to another vehicle, and is paired from then on', async () => {
  const { json: before } = await pair('BX-0001', vehicle);
  const { status, json: after } = await pair('BX-0001', other);
  expect([status, after.vehicleId]).toEqual([200, other]);
  expect(after.pairedAt >= before.pairedAt).toBe(true);
  expect((await pair('BX-0002', vehicle)).status).toBe(201);
});

test('a vehicle that has another box is refused with 409, which names that box', async () => {
  await pair('BX-0001', vehicle);
  const { status, json } = await pair('BX-0002', vehicle);
  expect([status, json.detail]).toEqual([409, expect.stringContaining('BX-0001')]);
  expect((await service.call('GET', '/databoxes/BX-0002')).status).toBe(404);
});

test('many who pair at once leave one box a vehicle, and none of them fails', async () => {
  const answers = await Promise.all(
    Array.from({ length: 24 }, (_, index) => pair(`BX-${index % 6}`, index % 2 ? vehicle : other)),
  );
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 201, 409]));
  const { json } = await service.call('GET', '/databoxes');
  expect(json.items.map(({ vehicleId }: { vehicleId: string }) => vehicleId).sort()).toEqual([
    vehicle,
    other,
  ]);
});

test('a vehicle that does not exist, or is another provider’s, is answered with 404', async () => {
  for (const vehicleId of ['DE*ABC*nowhere', 'FR*XYZ*T0000', '']) {
    expect((await pair('BX-0001', vehicleId)).status).toBe(404);
  }
});

test('a serial has 1 to 64 letters, digits or any of . _ -', async () => {
  for (const serial of ['a', `Z${'0'.repeat(63)}`, '._-']) {
    expect((await pair(serial, vehicle)).status, serial).toBe(201);
    await service.call('DELETE', `/databoxes/${serial}`);
  }
  for (const serial of ['a'.repeat(65), 'a%20b', '%C3%A4', 'a*b']) {
    const { status, json } = await pair(serial, vehicle);
    expect([status, json.errors?.[0]?.pointer], serial).toEqual([400, '#serial']);
  }
});

test('another provider’s box of the same serial is another box', async () => {
  const foreign = async (method: string, body?: object) =>
    service.send({
      method,
      path: '/api/fleets/v1/FR/XYZ/databoxes/BX-0001',
      headers: {
        authorization: `Bearer ${await service.token('FR-XYZ')}`,
        'content-type': 'application/json',
      },
      body: body && JSON.stringify(body),
    });
  await pair('BX-0001', vehicle);
  expect((await foreign('GET')).status).toBe(404);
  expect((await foreign('PUT', { vehicleId: 'FR*XYZ*T0000' })).status).toBe(201);
  expect((await service.call('GET', '/databoxes/BX-0001')).json.vehicleId).toBe(vehicle);
  expect((await service.call('GET', '/databoxes')).json.pagination.totalEntries).toBe(1);
});

test('with its vehicle the pairing is gone', async () => {
  await pair('BX-0001', vehicle);
  await service.call('DELETE', `/${vehicle}`);
  expect((await service.call('GET', '/databoxes/BX-0001')).status).toBe(404);
});

describe('the list', () => {
  const serials = Array.from({ length: 25 }, (_, index) => `${index % 2 ? 'bx' : 'AX'}-${index}`);

  beforeEach(async () => {
    for (const [index, serial] of serials.entries()) {
      await pair(serial, `DE*ABC*T${String(index * 7).padStart(4, '0')}`);
    }
  });

  const list = (query: string) => serialsOf(service.call('GET', `/databoxes?${query}`));
  const find = (body: object) => serialsOf(service.call('POST', '/databoxes/search', body));
  async function serialsOf(answer: ReturnType<TestService['call']>) {
    const { json } = await answer;
    return { ...json, serials: json.items?.map(({ serial }: { serial: string }) => serial) };
  }

  test('is by serial, in pages that hold every box once', async () => {
    const seen: string[] = [];
    for (let pageNumber = 0; pageNumber < 4; pageNumber++) {
      const page = await list(`pageNumber=${pageNumber}&pageSize=7`);
      expect(page.pagination).toEqual({ pageNumber, pageSize: 7, totalEntries: 25 });
      seen.push(...page.serials);
    }
    expect(seen).toEqual(serials.toSorted());
  });

  test('can be filtered and sorted by each of its fields', async () => {
    const odd = serials.filter((serial) => serial.startsWith('bx'));
    const filters = [{ field: 'serial', operator: 'startsWith', value: 'BX' }];
    const sorting = [{ field: 'vehicleId', direction: 'desc' }];
    expect((await find({ filters, sorting })).serials).toEqual(odd.toReversed());
    const since = [{ field: 'pairedAt', operator: 'gte', value: '2999-01-01T00:00:00Z' }];
    expect((await find({ filters: since })).serials).toEqual([]);
    expect((await find({ filters: [{ value: 'T0021' }] })).serials).toEqual(['bx-3']);
    expect((await find({ sorting: [{ field: 'pairedAt' }] })).serials).toEqual(serials);
    expect((await list('vehicleId=DE*ABC*T0021')).serials).toEqual(['bx-3']);
  });
});
