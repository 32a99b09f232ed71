import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Aedes } from 'aedes';
import mqtt, { type MqttClient } from 'mqtt';
import { freePort } from './free-port.ts';

export type TestBroker = {
  url: string;
  /** The version of the protocol that it speaks. */
  version: 4 | 5;
  stop(): Promise<void>;
  /** Starts it again on the same port, with the sessions that it had. */
  start(): Promise<void>;
  /** Removes what it stored. */
  remove(): Promise<void>;
};

const mosquitto = '/usr/sbin/mosquitto';
export const hasMosquitto = spawnSync(mosquitto, ['-h']).error === undefined;

/** A broker for MQTT 3.1.1, in this process. */
export async function startAedes(): Promise<TestBroker> {
  let persistence: unknown;
  let broker: Aedes;
  let server: Server;
  let port = 0;
  const sockets = new Set<Socket>();
  const start = async () => {
    broker = await Aedes.createBroker(persistence ? { persistence } : {});
    persistence = (broker as unknown as { persistence: unknown }).persistence;
    server = createServer((socket) => {
      sockets.add(socket);
      socket.on('close', () => sockets.delete(socket));
      broker.handle(socket);
    });
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
    port = (server.address() as AddressInfo).port;
  };
  await start();
  return {
    get url() {
      return `mqtt://127.0.0.1:${port}`;
    },
    version: 4,
    start,
    remove: async () => {},
    async stop() {
      const closed = once(server, 'close');
      server.close();
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}

/** Debian's Mosquitto, which speaks MQTT 5. */
export async function startMosquitto(settings = 'allow_anonymous true\n'): Promise<TestBroker> {
  const folder = await mkdtemp(join(tmpdir(), 'motorpool-mosquitto-'));
  const port = await freePort();
  const file = join(folder, 'mosquitto.conf');
  const lines = [
    `listener ${port} 127.0.0.1`,
    'persistence true',
    `persistence_location ${folder}/`,
    'max_inflight_messages 1000',
    'max_queued_messages 100000',
    'user root',
    settings,
  ];
  await writeFile(file, lines.join('\n'));
  let running: ReturnType<typeof spawn> | undefined;
  const start = async () => {
    running = spawn(mosquitto, ['-c', file], { stdio: 'ignore' });
    while (!(await answers(port))) await sleep(20);
  };
  await start();
  return {
    url: `mqtt://127.0.0.1:${port}`,
    version: 5,
    start,
    async stop() {
      if (!running) return;
      const ended = once(running, 'exit');
      running.kill('SIGTERM');
      await ended;
      running = undefined;
    },
    remove: () => rm(folder, { recursive: true }),
  };
}

function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy();
      resolve(true);
    });
    socket.on('error', () => resolve(false));
  });
}

/** A box, which publishes with QoS 1 and waits for the acknowledgement of the broker. */
export function connectBox(
  { url, version }: TestBroker,
  credentials: { clientId?: string; username?: string; password?: string } = {},
): Promise<MqttClient> {
  return mqtt.connectAsync(url, {
    protocolVersion: version,
    reconnectPeriod: 100,
    ...credentials,
  });
}
