import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startTestService, type TestService } from '../../testing/test-service.ts';
import { turnsOf } from '../../testing/turns-of.ts';
import { readAll } from './send-databox-messages.ts';

let service: TestService;
const ids = ['DE*ABC*V0001', 'DE*ABC*V0002', 'DE*ABC*V0003'] as const;
const [first, second, third] = ids;

beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());
beforeEach(async () => {
  for (const id of ids) {
    await service.call('DELETE', `/${id}`);
    await service.call('PUT', `/${id}`, { information: {} });
  }
});

const hourAgo = Date.now() - 3_600_000;
const at = (minutes: number) => new Date(hourAgo + minutes * 60_000).toISOString();
const messages = '/databox/messages';

async function send(body: unknown) {
  const answer = await service.call('POST', messages, body);
  return { ...answer, results: answer.json.results, counts: answer.json.counts };
}

async function sendText(body: string | Buffer, type = 'application/x-ndjson') {
  return service.send({
    method: 'POST',
    path: `/api/fleets/v1/DE/ABC${messages}`,
    headers: { authorization: `Bearer ${await service.token()}`, 'content-type': type },
    body,
  });
}

async function statusOf(id: string) {
  return (await service.call('GET', `/${id}`)).json.status;
}

async function historyOf(id: string) {
  const body = { from: at(-60), resolution: 'raw', pagination: { pageSize: 1_000 } };
  return (await service.call('POST', `/${id}/history`, body)).json.items;
}

describe('a batch', () => {
  test('has a result for each message, in their order, as if they had come one by one', async () => {
    const { status, results, counts } = await send([
      { vehicleId: first, timestamp: at(1), odometer: 10 },
      { vehicleId: second, timestamp: at(1), odometer: 20, isLocked: true },
      { vehicleId: first, timestamp: at(2), odometer: 11 },
      { vehicleId: first, timestamp: at(0), odometer: 9 },
      { vehicleId: first, timestamp: at(1), odometer: 10 },
      { vehicleId: 'DE*ABC*nowhere', timestamp: at(1), odometer: 1 },
    ]);
    expect(status).toBe(200);
    expect(results.map(({ result }: { result: string }) => result)).toEqual([
      'accepted',
      'accepted',
      'accepted',
      'stale',
      'duplicate',
      'rejected',
    ]);
    expect(results.map(({ index }: { index: number }) => index)).toEqual([0, 1, 2, 3, 4, 5]);
    expect(counts).toEqual({ accepted: 3, stale: 1, duplicate: 1, rejected: 1 });
    expect(await statusOf(first)).toEqual({ lastUpdated: at(2), odometer: 11 });
    expect(await statusOf(second)).toEqual({ lastUpdated: at(1), odometer: 20, isLocked: true });
    expect(await statusOf(third)).toEqual({});
    expect(await historyOf(first)).toEqual(
      [9, 10, 11].map((odometer, minute) => ({ time: at(minute), odometer })),
    );
  });

  test('that comes again changes nothing, and all of it is a duplicate', async () => {
    const batch = ids.flatMap((vehicleId, index) =>
      [3, 1, 2].map((minute) => ({
        vehicleId,
        timestamp: at(minute),
        odometer: index * 100 + minute,
        isLocked: minute === 2,
        location: { lat: minute, lng: index },
      })),
    );
    await send(batch);
    const before = await Promise.all([...ids.map(statusOf), ...ids.map(historyOf)]);
    const { counts } = await send(batch.toReversed());
    expect(counts).toEqual({ accepted: 0, stale: 0, duplicate: 9, rejected: 0 });
    expect(await Promise.all([...ids.map(statusOf), ...ids.map(historyOf)])).toEqual(before);
  });

  test('without a message has no result', async () => {
    const nothing = { results: [], counts: { accepted: 0, stale: 0, duplicate: 0, rejected: 0 } };
    expect((await send([])).json).toEqual(nothing);
    expect((await sendText('\n \r\n\n')).json).toEqual(nothing);
  });

  test('of many messages of one vehicle leaves the newest of every signal', async () => {
    const { counts } = await send(
      Array.from({ length: 1_000 }, (_, index) => ({
        vehicleId: first,
        timestamp: at(index / 100),
        ...(index % 2 === 0 ? { odometer: index / 10 } : { fuelLevel: index / 10 }),
      })),
    );
    expect(counts.accepted).toBe(1_000);
    expect(await statusOf(first)).toMatchObject({ odometer: 99.8, fuelLevel: 99.9 });
    expect(await historyOf(first)).toHaveLength(1_000);
  });
});

describe('a message that is wrong', () => {
  test('is rejected with the reason and does not touch the others', async () => {
    const good = { vehicleId: first, timestamp: at(0), odometer: 1 };
    const wrong: [unknown, string, ...string[]][] = [
      [null, 'invalid', ''],
      ['x', 'invalid', ''],
      [[good], 'invalid', ''],
      [{}, 'invalid', '/timestamp', '/vehicleId', ''],
      [{ ...good, serial: 'BX-1' }, 'invalid', '/serial'],
      [{ ...good, vehicleId: 7 }, 'invalid', '/vehicleId'],
      [{ ...good, odometer: '1' }, 'invalid', '/odometer'],
      [{ ...good, odometr: 1 }, 'invalid', '/odometr'],
      [{ ...good, timestamp: '2026-02-30T00:00:00Z' }, 'invalid', '/timestamp'],
      [{ vehicleId: first, timestamp: at(0) }, 'invalid', ''],
      [{ ...good, vehicleId: 'FR*XYZ*V0001' }, 'unknown_vehicle', '/vehicleId'],
      [{ ...good, vehicleId: undefined, serial: 'BX-404' }, 'unpaired_serial', '/serial'],
      [{ ...good, timestamp: at(70) }, 'in_future', '/timestamp'],
      [{ ...good, timestamp: '2001-01-01T00:00:00Z' }, 'too_old', '/timestamp'],
    ];
    const { results, counts } = await send([...wrong.map(([message]) => message), good]);
    for (const [index, [message, reason, ...pointers]] of wrong.entries()) {
      expect(results[index], JSON.stringify(message)).toMatchObject({
        result: 'rejected',
        reason,
        errors: pointers.map((pointer) => ({ pointer })),
      });
    }
    expect(counts).toEqual({ accepted: 1, stale: 0, duplicate: 0, rejected: wrong.length });
    expect(await statusOf(first)).toEqual({ lastUpdated: at(0), odometer: 1 });
  });

  test('is rejected as a line, too, be it broken JSON, broken text or nothing but a word', async () => {
    const line = (minute: number) =>
      JSON.stringify({ vehicleId: first, timestamp: at(minute), odometer: minute });
    const { status, json } = await sendText(
      Buffer.concat([
        Buffer.from(`${line(0)}\n{"vehicleId":\r\nnull\n\n`),
        Buffer.from([0x22, 0xff, 0x22, 0x0a]),
        Buffer.from(`{"vehicleId":"\\u0000","timestamp":"${at(0)}","odometer":1}\n${line(1)}`),
      ]),
    );
    expect(status).toBe(200);
    expect(json.results).toMatchObject([
      { result: 'accepted' },
      { errors: [{ detail: expect.stringMatching(/^The line is not valid JSON/) }] },
      { errors: [{ detail: 'The message must be an object.' }] },
      { errors: [{ detail: 'The line is not valid UTF-8.' }] },
      { errors: [{ pointer: '/vehicleId', detail: expect.stringContaining('NUL') }] },
      { result: 'accepted' },
    ]);
    expect(json.counts).toEqual({ accepted: 2, stale: 0, duplicate: 0, rejected: 4 });
  });

  test('of another provider is unknown, its vehicle and its box', async () => {
    const foreign = async (method: string, path: string, body: object) =>
      service.send({
        method,
        path: `/api/fleets/v1/FR/XYZ${path}`,
        headers: {
          authorization: `Bearer ${await service.token('FR-XYZ')}`,
          'content-type': 'application/json',
        },
        body: JSON.stringify(body),
      });
    await foreign('PUT', '/FR*XYZ*V1', { information: {} });
    await foreign('PUT', '/databoxes/BX-FR', { vehicleId: 'FR*XYZ*V1' });
    const { results } = await send([
      { vehicleId: 'FR*XYZ*V1', timestamp: at(0), odometer: 1 },
      { serial: 'BX-FR', timestamp: at(0), odometer: 1 },
    ]);
    expect(results.map(({ reason }: { reason: string }) => reason)).toEqual([
      'unknown_vehicle',
      'unpaired_serial',
    ]);
    const { json } = await foreign('POST', '/vehicles', {});
    expect(json.items[0].status).toEqual({});
  });
});

test('the messages of a box are those of the vehicle that it is paired with now', async () => {
  const pair = (vehicleId: string) => service.call('PUT', '/databoxes/BX-1', { vehicleId });
  const resultAt = async (timestamp: string, odometer: number) => {
    const { results } = await send([{ serial: 'BX-1', timestamp, odometer }]);
    return results[0].reason ?? results[0].result;
  };
  expect(await resultAt(at(0), 0)).toBe('unpaired_serial');
  await pair(first);
  expect(await resultAt(at(1), 1)).toBe('accepted');
  const { pairedAt } = (await pair(second)).json;
  expect(await resultAt(pairedAt, 2)).toBe('accepted');
  await service.call('DELETE', '/databoxes/BX-1');
  expect(await resultAt(at(3), 3)).toBe('unpaired_serial');
  expect(await statusOf(first)).toEqual({ lastUpdated: at(1), odometer: 1 });
  expect(await statusOf(second)).toEqual({ lastUpdated: pairedAt, odometer: 2 });
});

test('what a box measured before it changed over to another vehicle is rejected', async () => {
  const pair = (vehicleId: string) => service.call('PUT', '/databoxes/BX-2', { vehicleId });
  const { pairedAt: firstPairedAt } = (await pair(first)).json;
  // A clock that stands still would have both at the same time.
  await expect.poll(() => new Date().toISOString()).not.toBe(firstPairedAt);
  const { pairedAt } = (await pair(second)).json;
  const location = { lat: 52.5, lng: 13.4 };
  const before = new Date(Date.parse(pairedAt) - 1).toISOString();
  const buffered = [at(0), before].map((timestamp) => ({ serial: 'BX-2', timestamp, location }));
  const { results } = await send([
    ...buffered,
    { serial: 'BX-2', timestamp: pairedAt, odometer: 7 },
  ]);
  expect(results).toMatchObject([
    { result: 'rejected', reason: 'unpaired_serial', errors: [{ pointer: '/serial' }] },
    { result: 'rejected', reason: 'unpaired_serial' },
    { result: 'accepted' },
  ]);
  expect(await statusOf(first)).toEqual({});
  expect(await statusOf(second)).toEqual({ lastUpdated: pairedAt, odometer: 7 });
  expect((await pair(second)).json.pairedAt).toBe(pairedAt);
  expect(await historyOf(second)).toEqual([{ time: pairedAt, odometer: 7 }]);
});

test('other requests run between messages that are judged, of which none can be true', async () => {
  const value = { vehicleId: first, timestamp: at(0), odometer: -1 };
  const messages = Array.from({ length: 5_000 }, () => ({ value, issues: [] }));
  expect(await turnsOf(readAll(messages, 30, Date.now()))).toBeGreaterThanOrEqual(4);
});

test('the results of many messages are in their order, too', async () => {
  const message = { vehicleId: first, timestamp: at(0), odometer: -1 };
  const { status, json } = await send(Array(1_500).fill(message));
  expect(status).toBe(200);
  expect(json.counts).toEqual({ accepted: 0, stale: 0, duplicate: 0, rejected: 1_500 });
  const results: { index: number; reason: string }[] = json.results;
  expect(results.map(({ index }) => index)).toEqual(Array.from({ length: 1_500 }, (_, i) => i));
  expect(new Set(results.map(({ reason }) => reason))).toEqual(new Set(['implausible']));
});

test('10,000 messages are taken, one more is refused with 400, more than 5 MiB with 413', async () => {
  const message = { vehicleId: first, timestamp: at(0), odometer: 1 };
  const many = Array.from({ length: 10_000 }, () => message);
  expect((await send(many)).counts).toEqual({
    accepted: 1,
    stale: 0,
    duplicate: 9_999,
    rejected: 0,
  });
  const line = `${JSON.stringify(message)}\n`;
  for (const answer of [await send([...many, message]), await sendText(line.repeat(10_001))]) {
    expect([answer.status, answer.json.detail]).toEqual([
      400,
      'The body must have at most 10000 messages.',
    ]);
  }
  const { status, json } = await sendText(line + ' '.repeat(5 * 1_048_576));
  expect([status, json.detail]).toEqual([413, `At most ${5 * 1_048_576} bytes are accepted.`]);
});

test('when the database fails there is no half of a batch: 503, and sent again it is all new', async () => {
  const batch = ids.map((vehicleId) => ({ vehicleId, timestamp: at(0), odometer: 1 }));
  // As full as a disk gets, right at the last write of the batch.
  await service.owner.queryUnprepared(`create function fail() returns trigger language plpgsql as
    $$ begin raise exception using errcode = '53100'; end $$`);
  await service.owner.queryUnprepared(
    'create trigger fail before update on vehicle_statuses execute function fail()',
  );
  const { status, headers, json } = await sendText(JSON.stringify(batch), 'application/json');
  await service.owner.queryUnprepared('drop function fail() cascade');
  expect(status).toBe(503);
  expect(json.detail).toContain('The disk of the database is full');
  expect(headers['retry-after']).toBeDefined();
  expect(await historyOf(first)).toEqual([]);
  expect((await send(batch)).counts.accepted).toBe(3);
});
