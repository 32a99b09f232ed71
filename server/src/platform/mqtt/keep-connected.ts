import { setTimeout as sleep } from 'node:timers/promises';
import { addressOf, type Broker } from './broker-url.ts';
import { type Connection, type ConnectionOptions, openConnection } from './connection.ts';
import { openConnections } from './mqtt-metrics.ts';

export type KeptConnection = { isConnected(): boolean; stop(): Promise<void> };

export type KeptOptions = ConnectionOptions & { broker: Broker; log: Log };

type Log = {
  info(details: object, message: string): void;
  warn(details: object, message: string): void;
};

const firstRetryMs = 500;
const maxRetryMs = 30_000;
// Of the attempts in a row that fail, one in so many is logged.
const loggedFailures = 10;

/** Keeps a session connected until it is stopped; logs have its name in the place of the client id, which is a secret. */
export function keepConnected(name: string, options: KeptOptions): KeptConnection {
  const { broker, log } = options;
  const context = { broker: addressOf(broker), session: name };
  const stopping = new AbortController();
  const { signal } = stopping;
  let connection: Connection | undefined;
  let failures = 0;

  async function connect(): Promise<void> {
    connection = await openConnection(broker, options);
    const { version, isShared, closed } = connection;
    failures = 0;
    openConnections.inc();
    log.info({ ...context, version, isShared }, 'subscribed to the MQTT broker');
    if (signal.aborted) void connection.close();
    const reason = await closed;
    connection = undefined;
    openConnections.dec();
    if (!signal.aborted) log.warn({ ...context, reason }, 'the connection to the broker is lost');
  }

  async function run(): Promise<void> {
    while (!signal.aborted) {
      try {
        await connect();
      } catch (error) {
        if (failures % loggedFailures === 0) {
          log.warn({ ...context, err: error }, 'the MQTT broker cannot be reached');
        }
      }
      const retryMs = Math.min(maxRetryMs, firstRetryMs * 2 ** failures);
      failures += 1;
      // At random, so that not all processes come at once to a broker that has just started.
      await sleep(retryMs * (0.5 + Math.random() / 2), undefined, { signal }).catch(() => {});
    }
  }
  const running = run();

  return {
    isConnected: () => connection !== undefined,
    async stop() {
      stopping.abort();
      await connection?.close();
      await running;
    },
  };
}
