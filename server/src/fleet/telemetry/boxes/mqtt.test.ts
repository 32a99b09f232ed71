import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
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

  test.runIf(isInstalled)('a message is stored and then acknowledged', async () => {
    const service = await serve();
    const box = await connectBox(broker);
    await box.publishAsync(
      topicOf('BX-0'),
      JSON.stringify({ timestamp: timeOf(1), odometer: 1_001 }),
      { qos: 1 },
    );
    await eventually(async () => expect(await odometers()).toEqual([1_001]));
    const ready = await fetch(`${service.url}/health/ready`);
    expect(await ready.json()).toEqual({ status: 'ok', mqtt: 'connected' });
    await eventually(async () => {
      const metrics = await (await fetch(`${service.url}/metrics`)).text();
      expect(metrics).toContain('motorpool_mqtt_messages_total{result="accepted",reason=""} 1');
      expect(metrics).toMatch(/motorpool_mqtt_unacknowledged 0$/m);
      expect(metrics).toMatch(/motorpool_mqtt_connections 1$/m);
    });
    await box.endAsync();
    service.kill();
    expect(await service.ended).toMatchObject({ code: 0, stderr: '' });
  });
});
