import type { BlockList } from 'node:net';
import { parentPort } from 'node:worker_threads';
import { KeptConnection } from './kept-connection.ts';
import { type Outcome, postWebhook, type WebhookMessage } from './post-webhook.ts';
import { encryptionMsPerSecond, WorkMeter } from './work-meter.ts';

/** Runs in a thread of its own, for the webhooks of all tenants. */

export type ThreadRequest =
  | {
      id: number;
      tenant: string;
      message: WebhookMessage;
      networks: BlockList;
      timeoutMs: number;
      /** By which the messages are known that share a connection, until it is closed. */
      connection: number;
    }
  | { close: number };

export type ThreadAnswer =
  | { id: number; isConnected: true }
  | { id: number; outcome: Outcome }
  | { id: number; failure: unknown };

const answer = (message: ThreadAnswer) => parentPort?.postMessage(message);

const meter = new WorkMeter({ millisecondsPerSecond: encryptionMsPerSecond });
const connections = new Map<number, KeptConnection>();

parentPort?.on('message', async (request: ThreadRequest) => {
  if ('close' in request) {
    connections.get(request.close)?.close();
    connections.delete(request.close);
    return;
  }
  const { id, tenant, message, networks, timeoutMs } = request;
  try {
    const connection = connectionOf(request.connection, message.url, tenant);
    const onConnect = () => answer({ id, isConnected: true });
    const outcome = await postWebhook(message, { networks, timeoutMs, connection, onConnect });
    answer({ id, outcome });
  } catch (failure) {
    answer({ id, failure });
  }
});

function connectionOf(id: number, url: string, tenant: string): KeptConnection {
  const kept = connections.get(id) ?? new KeptConnection(url, (work) => meter.run(tenant, work));
  connections.set(id, kept);
  return kept;
}
