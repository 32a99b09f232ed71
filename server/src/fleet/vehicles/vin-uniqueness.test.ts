import { afterAll, beforeAll, expect, test } from 'vitest';
import { problemType } from '../../testing/problem-type.ts';
import { startTestService, type TestService } from '../../testing/test-service.ts';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());

const put = (name: string, vin: string | undefined, active = true, more: object = {}) =>
  service.call('PUT', `/DE*ABC*${name}`, { asset: { active }, information: { vin, ...more } });
const vinOf = async (name: string) =>
  (await service.call('GET', `/DE*ABC*${name}`)).json.information?.vin;

test('an active vehicle is refused the VIN of another active one, which is named', async () => {
  expect((await put('first', 'WVWZZZ1KZAP000001')).status).toBe(201);
  for (const vin of ['WVWZZZ1KZAP000001', 'wvwzzz1kzap000001', 'WVW ZZZ-1KZ AP000001']) {
    const { status, json } = await put('second', vin);
    expect([status, json.type]).toEqual([409, problemType('vin-taken')]);
    expect(json.detail).toContain('DE*ABC*first');
    expect(json.errors).toEqual([
      { pointer: '/information/vin', detail: expect.stringContaining('DE*ABC*first') },
    ]);
  }
  expect((await service.call('GET', '/DE*ABC*second')).status).toBe(404);
});

test('a vehicle keeps its VIN over overwrites, and hands it on when it is inactive, changed or deleted', async () => {
  const vin = 'WVWZZZ1KZAP000002';
  expect((await put('owner', vin)).status).toBe(201);
  expect((await put('owner', vin, true, { seats: 4 })).status).toBe(200);
  expect((await put('next', vin, false)).status).toBe(201);
  expect((await put('next', vin, true)).status).toBe(409);
  expect((await put('owner', vin, false)).status).toBe(200);
  expect((await put('next', vin, true)).status).toBe(200);
  expect((await put('owner', vin, true)).status).toBe(409);
  expect((await put('next', 'WVWZZZ1KZAP000003')).status).toBe(200);
  expect((await put('owner', vin, true)).status).toBe(200);
  expect((await service.call('DELETE', '/DE*ABC*owner')).status).toBe(204);
  expect((await put('next', vin)).status).toBe(200);
});

test('vehicles without a VIN, and those of other providers, have nothing in common', async () => {
  for (const name of ['none-1', 'none-2']) expect((await put(name, undefined)).status).toBe(201);
  for (const name of ['dash-1', 'dash-2']) expect((await put(name, '- -')).status).toBe(201);
  const vin = 'WVWZZZ1KZAP000004';
  expect((await put('ours', vin)).status).toBe(201);
  const { status } = await service.send({
    method: 'PUT',
    path: '/api/fleets/v1/FR/XYZ/FR*XYZ*theirs',
    headers: {
      authorization: `Bearer ${await service.token('FR-XYZ')}`,
      'content-type': 'application/json',
    },
    body: JSON.stringify({ information: { vin } }),
  });
  expect(status).toBe(201);
});

test('of two writers at once, one gets the VIN', async () => {
  for (let round = 0; round < 10; round++) {
    const vin = `WVWZZZ1KZAQ00000${round}`;
    const names = Array.from({ length: 4 }, (_, number) => `race-${round}-${number}`);
    const answers = await Promise.all(names.map((name) => put(name, vin)));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409]);
    const holders = await Promise.all(names.map(vinOf));
    expect(holders.filter((held) => held === vin)).toHaveLength(1);
  }
});

test('duplicates from before stay as they are, until one of them changes', async () => {
  const vin = 'WVWZZZ1KZAP000005';
  expect((await put('old-1', vin)).status).toBe(201);
  expect((await put('old-2', 'WVWZZZ1KZAP000006')).status).toBe(201);
  await service.db.query(
    `update vehicles set vin = $1, item = replace(item, vin, $1) where id = 'DE*ABC*old-2'`,
    [vin],
  );
  expect(await vinOf('old-2')).toBe(vin);
  expect((await put('old-2', vin)).status).toBe(200);
  const changed = await put('old-2', vin, true, { seats: 2 });
  expect(changed.status).toBe(409);
  expect(changed.json.detail).toContain('DE*ABC*old-1');
  expect((await put('old-2', vin, false, { seats: 2 })).status).toBe(200);
  expect((await put('old-1', vin, true, { seats: 2 })).status).toBe(200);
});
