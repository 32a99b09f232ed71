import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestService, type TestService } from '../../testing/test-service.ts';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());

const send = async (csv: string, query = '', headers: Record<string, string> = {}) =>
  service.send({
    method: 'POST',
    path: `/api/fleets/v1/DE/ABC/imports/vehicles${query}`,
    body: csv,
    headers: {
      authorization: `Bearer ${await service.token()}`,
      'content-type': 'text/csv',
      ...headers,
    },
  });

const model = async (id: string) =>
  (await service.call('GET', `/DE*ABC*${id}`)).json.information?.model;

const faulty =
  'asset.id;information.model;information.seats;status.odometer\n' +
  'DE*ABC*I1;Golf;5;100\nDE*ABC*I2;Polo;many;-\nFR*XYZ*I3;Up;4;\nDE*ABC*I1;Passat;5;\nDE*ABC*I4;Fox;4\n';
const faults = [
  { line: 3, column: 'information.seats', detail: 'information.seats must be a number.' },
  { line: 3, column: 'status.odometer', detail: 'status.odometer must be a number.' },
  { line: 4, column: 'asset.id', detail: expect.stringContaining('must begin with DE*ABC*') },
  { line: 5, column: 'asset.id', detail: expect.stringContaining('stands on an earlier line') },
  { line: 6, detail: 'has 3 cells where the header has 4.' },
];

test('a dry run tells every fault with its line and column, and changes nothing', async () => {
  const { status, json } = await send(faulty, '?dryRun=true');
  expect(status).toBe(200);
  expect(json).toEqual({
    lines: 5,
    created: 1,
    overwritten: 0,
    faulty: 4,
    written: false,
    faults,
    notStored: [],
    cleared: [],
    positionTrackingDisabled: 0,
  });
  expect((await service.call('GET', '/DE*ABC*I1')).status).toBe(404);
});

test('a faulty file is imported as far as it is valid when that is asked for, and else not at all', async () => {
  expect((await send(faulty)).json).toMatchObject({ faulty: 4, written: false });
  expect((await service.call('GET', '/DE*ABC*I1')).status).toBe(404);
  expect((await send(faulty, '?skipFaulty=true')).json).toMatchObject({
    created: 1,
    faulty: 4,
    written: true,
  });
  expect(await model('I1')).toBe('Golf');
});

test('a valid file makes and overwrites vehicles', async () => {
  await service.call('PUT', '/DE*ABC*I5', { information: { model: 'Up' } });
  const { json } = await send('id,model\nDE*ABC*I5,Tiguan\nDE*ABC*I6,Touran\n');
  expect(json).toMatchObject({ lines: 2, created: 1, overwritten: 1, faulty: 0, written: true });
  expect([await model('I5'), await model('I6')]).toEqual(['Tiguan', 'Touran']);
});

test('a dry run tells what vehicles would lose, and the import that they have lost it', async () => {
  const information = { model: 'Up', seats: 4, trackGeolocation: true };
  await service.call('PUT', '/DE*ABC*I8', { information });
  const csv = 'id,model,seats,trackGeolocation\nDE*ABC*I8,,5,false\n';
  const losses = {
    overwritten: 1,
    cleared: [{ column: 'information.model', vehicles: 1 }],
    positionTrackingDisabled: 1,
  };
  const { json } = await send(csv, '?dryRun=true');
  expect(json).toMatchObject({ ...losses, written: false });
  expect(await model('I8')).toBe('Up');
  expect((await send(csv)).json).toMatchObject({ ...losses, written: true });
  expect(await model('I8')).toBeUndefined();
});

test('an import that is kept is in the audit trail, with who sent it and how many lines it had', async () => {
  await service.call('PUT', '/DE*ABC*I10', { information: {} });
  const eventsOf = async (csv: string, query?: string) => {
    const requestId = crypto.randomUUID();
    await send(csv, query, { 'x-request-id': requestId });
    const { json } = await service.call('POST', '/audit/search', {
      filters: [{ field: 'requestId', value: requestId }],
    });
    return json.items;
  };
  const csv = 'asset.id,status.odometer\nDE*ABC*I10,500\n';
  expect(await eventsOf(csv, '?dryRun=true')).toEqual([]);
  expect(await eventsOf(`${csv}DE*ABC*I10,many\n`)).toEqual([]);
  expect(await eventsOf(csv)).toMatchObject([
    {
      action: 'created',
      type: 'import',
      actor: { kind: 'client', clientId: 'demo-client' },
      operation: 'importVehicles',
      changes: { lines: { after: 1 }, created: { after: 0 }, overwritten: { after: 1 } },
    },
  ]);
});

test('a repetition with the same key answers the same and imports nothing again', async () => {
  const key = { 'idempotency-key': crypto.randomUUID() };
  const csv = 'id,model\nDE*ABC*I7,Caddy\n';
  const first = await send(csv, '', key);
  const second = await send(csv, '', key);
  expect(first.json).toMatchObject({ created: 1, overwritten: 0 });
  expect(second.json).toEqual(first.json);
});

test('a dry run with a key is answered as one without', async () => {
  const key = { 'idempotency-key': crypto.randomUUID() };
  for (const _ of [1, 2]) {
    const { status, json } = await send(faulty, '?dryRun=true', key);
    expect(status).toBe(200);
    expect(json).toMatchObject({ faulty: 4, faults });
  }
});

test.each([
  ['is empty', '', 'The file is empty: its first line must name the columns.'],
  ['names an unknown column', 'asset.id,wheels\n', 'line 1: "wheels" is not a column'],
  ['never closes a quote', 'id,model\nDE*ABC*V1,"Golf\n', 'Quote Not Closed'],
  ['has too many cells', `id\n${','.repeat(500)}\n`, 'line 2 has more than 500 cells'],
  ['has too many lines', `id\n${'DE*ABC*V1\n'.repeat(10_001)}`, 'has more than 10000 lines'],
])('a file that %s is refused as a whole', async (_what, csv, detail) => {
  const { status, json } = await send(csv, '?dryRun=true');
  expect(status).toBe(400);
  expect(json).toMatchObject({
    type: expect.stringContaining('/problems/invalid-body'),
    detail: expect.stringContaining(detail),
  });
});

test('a file that is too large is refused', async () => {
  expect((await send(`id\n${'x'.repeat(1_000_000)}`)).status).toBe(413);
});

test.each([
  ['a quote in the middle of a cell', '{"a":', 'Invalid Opening Quote'],
  ['a quote that is never closed', 'asset.id\n"DE*ABC*I1\n', 'Quote Not Closed'],
])('%s is refused', async (_name, csv, detail) => {
  const { status, json } = await send(csv);
  expect(status).toBe(400);
  expect(json.errors[0].detail).toContain(detail);
});
