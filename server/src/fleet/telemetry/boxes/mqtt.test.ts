import type { MqttClient } from 'mqtt';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { cuttableProxy } from '../../../testing/cuttable-proxy.ts';
import { makeFleet } from '../../../testing/make-fleet.ts';
import type { Running } from '../../../testing/sandbox.ts';
import { createServed, type Served } from '../../../testing/serve.ts';
import {
  connectBox,
  hasMosquitto,
  startAedes,
  startMosquitto,
  type TestBroker,
} from '../../../testing/start-broker.ts';
import { urlOf } from '../../../testing/test-database.ts';

const brokers = [
  { name: 'aedes, MQTT 3.1.1', start: startAedes, isInstalled: true },
  { name: 'Mosquitto, MQTT 5', start: startMosquitto, isInstalled: hasMosquitto },
];

/** Within a minute, or it fails. */
const eventually = (check: () => void | Promise<void>) =>
  vi.waitFor(check, { timeout: 60_000, interval: 50 });

const begin = Date.now() - 3_600_000;
const timeOf = (number: number) => new Date(begin + number * 1_000).toISOString();
const topicOf = (serial: string, provider = 'DE/ABC') => `motorpool/${provider}/${serial}/messages`;

let served: Served;
let vehicles: string[];
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

/** The odometers of the history, by vehicle and time. */
async function odometers(): Promise<number[]> {
  const rows = await served.db.query<{ odometer: number }>(
    'select odometer from vehicle_history where odometer is not null order by odometer',
  );
  return rows.map(({ odometer }) => odometer);
}

describe.each(brokers)('with $name', { timeout: 120_000 }, ({ start, isInstalled }) => {
  let broker: TestBroker;
  let running: Running[];

  beforeEach(async () => {
    if (!isInstalled) return;
    broker = await start();
    running = [];
    await served.db.query('delete from vehicle_history');
    await served.db.query('delete from mqtt_sessions');
    await served.db.query(
      `update vehicle_statuses set odometer = null, odometer_at = null, fuel_level = null, fuel_level_at = null,
         history_until = null, last_updated = null`,
    );
  });
  afterEach(async () => {
    if (!isInstalled) return;
    for (const process of running) process.kill('SIGKILL');
    await Promise.all(running.map(({ ended }) => ended));
    await broker.stop();
    await broker.remove();
  });

  async function serve(env: Record<string, string> = {}) {
    const service = await served.start({ MQTT_URL: broker.url, ...env });
    running.push(service);
    await eventually(() => expect(service.stdout()).toContain('subscribed to the MQTT broker'));
    return service;
  }

  const publish = (box: MqttClient, serial: string, payload: unknown, provider?: string) =>
    box.publishAsync(topicOf(serial, provider), encode(payload), { qos: 1 });

  const metricsOf = async ({ url }: { url: string }) => (await fetch(`${url}/metrics`)).text();

  /** Of the messages that a process received. */
  const countOf = async (service: { url: string }) => {
    const counts = (await metricsOf(service)).matchAll(/^motorpool_mqtt_messages_total.* (\d+)$/gm);
    return counts.reduce((sum, [, count]) => sum + Number(count), 0);
  };

  test.runIf(isInstalled)('a message is stored, and then acknowledged', async () => {
    const service = await serve();
    const box = await connectBox(broker);
    await publish(box, 'BX-0', { timestamp: timeOf(1), odometer: 1_001 });
    await eventually(async () => expect(await odometers()).toEqual([1_001]));
    const ready = await fetch(`${service.url}/health/ready`);
    expect(await ready.json()).toEqual({ status: 'ok', mqtt: 'connected' });
    await eventually(async () => {
      const metrics = await metricsOf(service);
      expect(metrics).toContain('motorpool_mqtt_messages_total{result="accepted",reason=""} 1');
      expect(metrics).toMatch(/motorpool_mqtt_unacknowledged 0$/m);
      expect(metrics).toMatch(/motorpool_mqtt_connections 1$/m);
    });
    await box.endAsync();
    service.kill();
    expect(await service.ended).toMatchObject({ code: 0, stderr: '' });
  });

  test.runIf(isInstalled)('a payload is one message, an array, or one a line', async () => {
    await serve();
    const box = await connectBox(broker);
    const message = (odometer: number) => ({ timestamp: timeOf(odometer), odometer });
    await publish(box, 'BX-0', JSON.stringify(message(1), null, 2));
    await publish(box, 'BX-0', [message(2), { ...message(3), serial: 'BX-0' }]);
    const lines = [message(4), { ...message(5), vehicleId: vehicles[0] }];
    await publish(box, 'BX-0', lines.map((line) => JSON.stringify(line)).join('\n'));
    await eventually(async () => expect(await odometers()).toEqual([1, 2, 3, 4, 5]));
    await box.endAsync();
  });

  test.runIf(isInstalled)(
    'what cannot be stored is acknowledged and counted, and what comes after it is stored',
    async () => {
      const service = await serve();
      const box = await connectBox(broker);
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
        const metrics = await metricsOf(service);
        for (const reason of new Set(refused.map(([name]) => name))) {
          const count = refused.filter(([name]) => name === reason).length;
          expect(metrics).toContain(`{result="rejected",reason="${reason}"} ${count}\n`);
        }
        expect(metrics).toMatch(/motorpool_mqtt_unacknowledged 0$/m);
      });
      const lines = service.stdout().split('\n');
      expect(lines.filter((line) => line.includes('was rejected'))).toHaveLength(10);
      await box.endAsync();
    },
  );

  test.runIf(isInstalled)('what is sent while no process runs is stored by the next', async () => {
    const first = await serve();
    const box = await connectBox(broker);
    first.kill();
    await first.ended;
    await publish(box, 'BX-0', { timestamp: timeOf(1), odometer: 1 });
    await serve();
    await eventually(async () => expect(await odometers()).toEqual([1]));
    await box.endAsync();
  });

  test.runIf(isInstalled)('kill -9 between receipt and commit loses nothing', async () => {
    const killed = await serve();
    const box = await connectBox(broker);
    const blocker = new pg.Client(served.connection);
    await blocker.connect();
    await blocker.query('begin');
    await blocker.query('select 1 from vehicle_statuses for update');
    const expected = Array.from({ length: 200 }, (_, number) => number);
    const send = (numbers: number[]) =>
      Promise.all(
        numbers.map((number) =>
          publish(box, `BX-${number % 3}`, { timestamp: timeOf(number), odometer: number }),
        ),
      );
    await send(expected.slice(0, 100));
    await eventually(async () => expect(await served.db.query(waitingForALock)).toHaveLength(1));
    killed.kill('SIGKILL');
    await killed.ended;
    expect(await odometers()).toEqual([]);
    await send(expected.slice(100));
    await blocker.query('rollback');
    await blocker.end();
    // Instead of waiting for the lease of its session to expire.
    await served.db.query('update mqtt_sessions set held_until = now()');
    await serve();
    await eventually(async () => expect(await odometers()).toEqual(expected));
    await box.endAsync();
  });

  test.runIf(isInstalled)(
    'two processes store every message once, and one of them those of the other that was killed',
    async () => {
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
    },
  );

  test.runIf(isInstalled)('a broker that restarts is connected to again', async () => {
    const service = await serve();
    const box = await connectBox(broker);
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
    await box.endAsync();
  });

  test.runIf(isInstalled)(
    'while the database is away nothing is acknowledged, and then everything is stored',
    async () => {
      const proxy = await cuttableProxy(served.connection);
      const service = await serve({ DATABASE_URL: urlOf(proxy.connection) });
      const box = await connectBox(broker);
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
      await box.endAsync();
      service.kill();
      await service.ended;
      await proxy.cut();
    },
  );
});

const waitingForALock = `
  select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;

function encode(payload: unknown): string | Buffer {
  return typeof payload === 'string' || Buffer.isBuffer(payload)
    ? payload
    : JSON.stringify(payload);
}
