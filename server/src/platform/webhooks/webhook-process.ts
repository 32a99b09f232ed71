import { networkList } from '../http/networks.ts';
import { watchTurns } from '../isolation/watch-turns.ts';
import { KeptConnection } from './kept-connection.ts';
import { type Outcome, postWebhook, type WebhookMessage } from './post-webhook.ts';
import { encryptionMsPerSecond, WorkMeter } from './work-meter.ts';

/** Runs in a process of its own, for the webhooks of all tenants. */

export type SendRequest = {
  id: number;
  tenant: string;
  message: WebhookMessage;
  networks: readonly string[];
  timeoutMs: number;
  /** By which the messages are known that share a connection, until it is closed. */
  connection: number;
};

export type ProcessRequest = SendRequest | { close: number };

export type ProcessAnswer =
  | { id: number; isConnected: true }
  | { id: number; outcome: Outcome }
  | { id: number; failure: string };

const answer = (message: ProcessAnswer) => void process.send?.(message, () => {});

const encryption = new WorkMeter({ millisecondsPerSecond: encryptionMsPerSecond });
const lookups = new WorkMeter({ millisecondsPerSecond: 20, atOnce: 4 });
const runFor = watchTurns();
const connections = new Map<number, KeptConnection>();

process.on('message', async (request: ProcessRequest) => {
  if ('close' in request) {
    connections.get(request.close)?.close();
    connections.delete(request.close);
    return;
  }
  const { id, message, timeoutMs } = request;
  try {
    const outcome = await postWebhook(message, {
      networks: networkList(request.networks),
      timeoutMs,
      connection: connectionOf(request),
      onConnect: () => answer({ id, isConnected: true }),
      runLookup: (work) => lookups.run(request.tenant, work),
    });
    answer({ id, outcome });
  } catch (error) {
    answer({ id, failure: String(error) });
  }
});

function connectionOf({ connection, message, tenant }: SendRequest): KeptConnection {
  const run = (work: () => void) =>
    encryption.run(tenant, (charge) => {
      const begun = process.threadCpuUsage();
      try {
        runFor(tenant, work);
      } finally {
        const { user, system } = process.threadCpuUsage(begun);
        charge((user + system) / 1_000);
      }
    });
  const kept = connections.get(connection) ?? new KeptConnection(message.url, run);
  connections.set(connection, kept);
  return kept;
}

process.on('disconnect', () => process.exit());
// Sent to all processes of a terminal or a service: those that wait for an outcome end it.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {});
