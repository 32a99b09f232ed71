import type { MqttClient } from 'mqtt';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { type CuttableProxy, cuttableProxy } from './cuttable-proxy.ts';
import { lockWaits } from './lock-waits.ts';
import { makeFleet } from './make-fleet.ts';
import type { Running } from './sandbox.ts';
import { createServed, type Served } from './serve.ts';
import { connectBox, type TestBroker } from './start-broker.ts';
import { urlOf } from './test-database.ts';

type StartBroker = () => Promise<TestBroker>;
type Service = Running & { url: string };

/** Within a minute, or it fails. */
const eventually = (check: () => void | Promise<void>) =>
  vi.waitFor(check, { timeout: 60_000, interval: 50 });

const begin = Date.now() - 3_600_000;
const timeOf = (number: number) => new Date(begin + number * 1_000).toISOString();
const topicOf = (serial: string, provider = 'DE/ABC') => `motorpool/${provider}/${serial}/messages`;

const publish = (box: MqttClient, serial: string, payload: unknown, provider?: string) =>
  box.publishAsync(topicOf(serial, provider), encode(payload), { qos: 1 });

const metricsOf = async ({ url }: Service) => (await fetch(`${url}/metrics`)).text();

/** Of the messages that a process received, with a result and a reason or of all. */
async function countOf(service: Service, labels = ''): Promise<number> {
  const lines = (await metricsOf(service))
    .split('\n')
    .filter((line) => line.startsWith('motorpool_mqtt_messages_total{') && line.includes(labels));
  return lines.reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0);
}

let served: Served;
let vehicles: string[];
let running: Running[] = [];
let broker: TestBroker;

/** To be called once in a test file: a fleet of three vehicles, whose boxes are BX-0, BX-1 and BX-2. */
export function withPairedBoxes(): void {
  beforeAll(async () => {
    served = await createServed();
    vehicles = (await makeFleet(served.db, 'DE', 'ABC', 3)).map(({ asset }) => asset.id);
    for (const [index, vehicle] of vehicles.entries()) {
      await served.db.query(
        `insert into databoxes (provider, serial, vehicle_id, paired_at, created_at, updated_at)
         values ('DE-ABC', $1, $2, now(), now(), now())`,
        [`BX-${index}`, vehicle],
      );
    }
  });
  afterAll(() => served.close());
  beforeEach(async () => {
    await served.db.query('delete from vehicle_history');
    await served.db.query(
      `update vehicle_statuses set odometer = null, odometer_at = null, fuel_level = null, fuel_level_at = null,
         history_until = null, last_updated = null`,
    );
  });
}

async function openBroker(start: StartBroker): Promise<void> {
  await served.db.query('delete from mqtt_sessions');
  // Of an earlier test: it would be done before this one begins, or in the middle of it.
  await served.db.query(`delete from pgboss.job where name = 'store-deferred-messages'`);
  broker = await start();
}

async function closeBroker(): Promise<void> {
  for (const process of running) process.kill('SIGKILL');
  await Promise.all(running.map(({ ended }) => ended));
  running = [];
  await broker.stop();
  await broker.remove();
}

async function serve(env: Record<string, string> = {}): Promise<Service> {
  const service = await served.start({ MQTT_URL: broker.url, ...env });
  running.push(service);
  await eventually(() => expect(service.stdout()).toContain('subscribed to the MQTT broker'));
  return service;
}

/** The odometers of the history, by vehicle and time. */
async function odometers(): Promise<number[]> {
  const rows = await served.db.query<{ odometer: number }>(
    'select odometer from vehicle_history where odometer is not null order by odometer',
  );
  return rows.map(({ odometer }) => odometer);
}

/** What one process receives. */
export function testReceipt(start: StartBroker): void {
  describe('a process', { timeout: 120_000 }, () => {
    let proxy: CuttableProxy;
    let service: Service;
    let box: MqttClient;

    beforeAll(async () => {
      await openBroker(start);
      proxy = await cuttableProxy(served.connection);
      service = await serve({ DATABASE_URL: urlOf(proxy.connection) });
      box = await connectBox(broker);
    });
    afterAll(async () => {
      await box.endAsync();
      await closeBroker();
      await proxy.cut();
    });

    test('stores a message, and then acknowledges it', async () => {
      const before = await countOf(service, 'result="accepted",reason=""');
      await publish(box, 'BX-0', { timestamp: timeOf(1), odometer: 1_001 });
      await eventually(async () => expect(await odometers()).toEqual([1_001]));
      const ready = await fetch(`${service.url}/health/ready`);
      expect(await ready.json()).toEqual({ status: 'ok', mqtt: 'connected' });
      await eventually(async () => {
        expect(await countOf(service, 'result="accepted",reason=""')).toBe(before + 1);
        const metrics = await metricsOf(service);
        expect(metrics).toMatch(/motorpool_mqtt_unacknowledged 0$/m);
        expect(metrics).toMatch(/motorpool_mqtt_connections 1$/m);
      });
    });

    test('takes a payload of one message, of an array, or of one a line', async () => {
      const message = (odometer: number) => ({ timestamp: timeOf(odometer), odometer });
      await publish(box, 'BX-0', JSON.stringify(message(1), null, 2));
      await publish(box, 'BX-0', [message(2), { ...message(3), serial: 'BX-0' }]);
      const lines = [message(4), { ...message(5), vehicleId: vehicles[0] }];
      await publish(box, 'BX-0', lines.map((line) => JSON.stringify(line)).join('\n'));
      await eventually(async () => expect(await odometers()).toEqual([1, 2, 3, 4, 5]));
    });

    test('acknowledges and counts what cannot be stored, and stores what comes after it', async () => {
      const message = { timestamp: timeOf(1), odometer: 1 };
      const refused: [reason: string, serial: string, payload: unknown, provider?: string][] = [
        ['unpaired_serial', 'BX-unknown', message],
        ['unpaired_serial', 'BX-0', { ...message, vehicleId: vehicles[1] }],
        ['unpaired_serial', 'BX-0', message, 'FR/XYZ'],
        ['unknown_provider', 'BX-0', message, 'DE/ZZZ'],
        ['invalid_topic', 'BX-0', message, 'de/abc'],
        ['invalid_topic', 'BX 0', message],
        ['invalid', 'BX-0', { ...message, serial: 'BX-1' }],
        ['invalid', 'BX-0', '{"timestamp":'],
        ['invalid', 'BX-0', ''],
        ['invalid', 'BX-0', Buffer.from([0xff, 0xfe, 0x00])],
        ['invalid', 'BX-0', { ...message, odometer: 'far' }],
        ['invalid', 'BX-0', { timestamp: timeOf(1) }],
        ['in_future', 'BX-0', { ...message, timestamp: '2100-01-01T00:00:00Z' }],
        ['implausible', 'BX-0', { ...message, odometer: -1 }],
        ['too_large', 'BX-0', ' '.repeat(1_048_577)],
      ];
      for (const [, serial, payload, provider] of refused) {
        await publish(box, serial, payload, provider);
      }
      await publish(box, 'BX-0', { timestamp: timeOf(2), odometer: 2 });
      await eventually(async () => expect(await odometers()).toEqual([2]));
      await eventually(async () => {
        for (const reason of new Set(refused.map(([name]) => name))) {
          const count = refused.filter(([name]) => name === reason).length;
          expect(await countOf(service, `result="rejected",reason="${reason}"`), reason).toBe(
            count,
          );
        }
        expect(await metricsOf(service)).toMatch(/motorpool_mqtt_unacknowledged 0$/m);
      });
      const lines = service.stdout().split('\n');
      expect(lines.filter((line) => line.includes('was rejected'))).toHaveLength(10);
    });

    test('receives what others send while more of one provider cannot be stored than may be unacknowledged', async () => {
      const others = 'result="rejected",reason="unpaired_serial"';
      const before = await countOf(service, others);
      const release = await lockStatuses();
      const numbers = Array.from({ length: 2_500 }, (_, number) => number);
      await Promise.all(
        numbers.map((number) =>
          publish(box, 'BX-0', { timestamp: timeOf(number), odometer: number }),
        ),
      );
      await publish(box, 'BX-0', { timestamp: timeOf(1), odometer: 1 }, 'FR/XYZ');
      await eventually(async () => expect(await countOf(service, others)).toBe(before + 1));
      expect(await odometers()).toEqual([]);
      await release();
      await eventually(async () => expect(await odometers()).toEqual(numbers));
      // Jobs of what was stored after all would store it again in the next test, which begins with an empty history.
      const deferred = `select from pgboss.job where name = 'store-deferred-messages'`;
      await eventually(async () => expect(await served.db.query(deferred)).toEqual([]));
    });

    test('connects again to a broker that restarts', async () => {
      await broker.stop();
      await eventually(async () => {
        const ready = await fetch(`${service.url}/health/ready`);
        expect([ready.status, await ready.json()]).toEqual([
          200,
          { status: 'ok', mqtt: 'disconnected' },
        ]);
      });
      await broker.start();
      await publish(box, 'BX-0', { timestamp: timeOf(1), odometer: 1 });
      await eventually(async () => expect(await odometers()).toEqual([1]));
    });

    test('acknowledges nothing while the database is away, and then stores everything', async () => {
      await proxy.cut();
      for (let number = 0; number < 5; number++) {
        await publish(box, 'BX-0', { timestamp: timeOf(number), odometer: number });
      }
      await eventually(async () => {
        expect(service.stdout()).toContain('messages of boxes cannot be stored yet');
        expect(await metricsOf(service)).toMatch(/motorpool_mqtt_unacknowledged 5$/m);
      });
      await proxy.restore();
      await eventually(async () => expect(await odometers()).toEqual([0, 1, 2, 3, 4]));
      await eventually(async () =>
        expect(await metricsOf(service)).toMatch(/motorpool_mqtt_unacknowledged 0$/m),
      );
    });
  });
}

/** What the next process receives when one has ended. */
export function testTakeover(start: StartBroker): void {
  describe('the next process', { timeout: 120_000 }, () => {
    beforeEach(() => openBroker(start));
    afterEach(closeBroker);

    test('stores what is sent while none runs', async () => {
      const first = await serve();
      const box = await connectBox(broker);
      first.kill();
      expect(await first.ended).toMatchObject({ code: 0, stderr: '' });
      await publish(box, 'BX-0', { timestamp: timeOf(1), odometer: 1 });
      await serve();
      await eventually(async () => expect(await odometers()).toEqual([1]));
      await box.endAsync();
    });

    test('stores all that one had received that was killed before the commit', async () => {
      const killed = await serve();
      const box = await connectBox(broker);
      const release = await lockStatuses();
      const expected = Array.from({ length: 200 }, (_, number) => number);
      const send = (numbers: number[]) =>
        Promise.all(
          numbers.map((number) =>
            publish(box, `BX-${number % 3}`, { timestamp: timeOf(number), odometer: number }),
          ),
        );
      await send(expected.slice(0, 100));
      await eventually(async () => expect(await lockWaits(served.db)).toBe(1));
      killed.kill('SIGKILL');
      await killed.ended;
      expect(await odometers()).toEqual([]);
      await send(expected.slice(100));
      await release();
      // Instead of waiting for the lease of its session to expire.
      await served.db.query('update mqtt_sessions set held_until = now()');
      await serve();
      await eventually(async () => expect(await odometers()).toEqual(expected));
      await box.endAsync();
    });
  });
}

/** What two processes receive, with a subscription that they share where the broker can. */
export function testTwoProcesses(start: StartBroker): void {
  describe('two processes', { timeout: 120_000 }, () => {
    beforeEach(() => openBroker(start));
    afterEach(closeBroker);

    test('store every message once, and one of them those of the other that was killed', async () => {
      const first = await serve();
      const second = await serve();
      // The first changes over when there is a second.
      const isShared = `"isShared":${broker.version === 5}`;
      const subscriptions = new RegExp(`"isShared":false.*${isShared}`, 's');
      await eventually(() => expect(first.stdout()).toMatch(subscriptions));
      const box = await connectBox(broker);
      const send = async (from: number, to: number) => {
        for (let number = from; number < to; number++) {
          await publish(box, 'BX-0', { timestamp: timeOf(number), odometer: number });
        }
      };
      const stored = (count: number) => Array.from({ length: count }, (_, number) => number);
      await send(0, 20);
      await eventually(async () => expect(await odometers()).toEqual(stored(20)));
      // Without shared subscriptions, both get every message, and what the other has stored is a duplicate.
      const received = broker.version === 5 ? 10 : 20;
      for (const service of [first, second]) {
        await eventually(async () => expect(await countOf(service)).toBe(received));
      }
      second.kill('SIGKILL');
      await second.ended;
      await send(20, 40);
      // Instead of a minute, after which the other takes over the session.
      await served.db.query(
        `update mqtt_sessions set held_until = now() - interval '1 hour' where number = 1`,
      );
      await eventually(async () => expect(await odometers()).toEqual(stored(40)));
      await box.endAsync();
    });
  });
}

/** Makes the writers of telemetry wait. */
async function lockStatuses(): Promise<() => Promise<void>> {
  const blocker = new pg.Client(served.connection);
  await blocker.connect();
  await blocker.query('begin');
  await blocker.query('select 1 from vehicle_statuses for update');
  return () => blocker.end();
}

function encode(payload: unknown): string | Buffer {
  return typeof payload === 'string' || Buffer.isBuffer(payload)
    ? payload
    : JSON.stringify(payload);
}
