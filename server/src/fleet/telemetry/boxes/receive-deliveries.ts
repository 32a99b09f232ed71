import { setImmediate, setTimeout as sleep } from 'node:timers/promises';
import { isTimeout } from '../../../platform/db/statement-timeout.ts';
import type { ProviderRef } from '../../../platform/http/operation.ts';
import type { Delivery } from '../../../platform/mqtt/connection.ts';
import { messagesByResult } from '../../../platform/mqtt/mqtt-metrics.ts';
import type { Dependencies } from '../../dependencies.ts';
import { parseBoxTopic } from './box-topic.ts';
import { type RejectionLog, rejectionLog } from './rejection-log.ts';
import { type BoxResult, deliveryStore } from './store-deliveries.ts';

export type Log = { warn(details: object, message: string): void };

export type DeliveryReceiver = {
  receive(delivery: Delivery): void;
  /** Begins no further transaction, and waits for those under way. */
  settle(): Promise<void>;
};

type BoxDelivery = Delivery & { serial: string; timeouts: number };
type Queue = { provider: ProviderRef; waiting: BoxDelivery[] };
type Retries = { firstRetryMs: number; maxTimeouts: number };

// Of one transaction.
const maxDeliveries = 1_000;
const maxBytes = 1_048_576;
const maxRetryMs = 30_000;
// So many statement timeouts of one delivery take longer than whatever else may hold its rows.
const defaultRetries: Retries = { firstRetryMs: 500, maxTimeouts: 20 };

/** Stores what is delivered, provider by provider in batches, and acknowledges what is committed. */
export function receiveDeliveries(
  dependencies: Dependencies,
  log: Log,
  { firstRetryMs, maxTimeouts } = defaultRetries,
): DeliveryReceiver {
  const store = deliveryStore(dependencies);
  const logRejection = rejectionLog(log);
  const queues = new Map<string, Queue>();
  const working = new Set<Promise<void>>();
  const stopping = new AbortController();
  const { signal } = stopping;

  function finish(provider: ProviderRef, delivery: BoxDelivery, results: BoxResult[]): void {
    record(provider, delivery.serial, results, logRejection);
    delivery.acknowledge();
  }

  async function work(queue: Queue): Promise<void> {
    let failures = 0;
    let size = maxDeliveries;
    while (queue.waiting.length > 0) {
      // More of what has arrived with the first comes into the same transaction.
      await setImmediate();
      if (signal.aborted) return;
      const batch = takeBatch(queue.waiting, size);
      const [first] = batch;
      if (!first) continue;
      try {
        const results = await store(queue.provider, batch);
        failures = 0;
        size = Math.min(maxDeliveries, size * 2);
        batch.forEach((delivery, index) => {
          finish(queue.provider, delivery, results[index] ?? []);
        });
      } catch (error) {
        if (failures === 0) {
          log.warn(
            { err: error, provider: queue.provider.id },
            'messages of boxes cannot be stored yet',
          );
        }
        const isSlow = isTimeout(error);
        if (isSlow && batch.length === 1) first.timeouts += 1;
        if (first.timeouts >= maxTimeouts) {
          finish(queue.provider, first, [tooSlow]);
          continue;
        }
        // Unacknowledged: if the connection breaks meanwhile, the broker delivers it again.
        queue.waiting.unshift(...batch);
        if (isSlow) size = Math.ceil(batch.length / 2);
        const retryMs = Math.min(maxRetryMs, firstRetryMs * 2 ** failures);
        failures += 1;
        await sleep(retryMs, undefined, { signal }).catch(() => {});
      }
    }
    queues.delete(queue.provider.id);
  }

  return {
    receive(delivery) {
      const box = parseBoxTopic(delivery.topic);
      if (!box) {
        record(undefined, delivery.topic.slice(0, 200), [invalidTopic], logRejection);
        return delivery.acknowledge();
      }
      const { provider, serial } = box;
      const queue = queues.get(provider.id);
      const waiting = { ...delivery, serial, timeouts: 0 };
      if (queue) return void queue.waiting.push(waiting);
      const added = { provider, waiting: [waiting] };
      queues.set(provider.id, added);
      const done = work(added).finally(() => working.delete(done));
      working.add(done);
    },
    async settle() {
      stopping.abort();
      await Promise.all(working);
    },
  };
}

/** Removes the next from the queue, without those that the broker delivers again. */
function takeBatch(waiting: BoxDelivery[], size: number): BoxDelivery[] {
  let [count, bytes] = [0, 0];
  for (const { payload } of waiting) {
    if (count === size || (count > 0 && bytes + payload.length > maxBytes)) break;
    count += 1;
    bytes += payload.length;
  }
  return waiting.splice(0, count).filter((delivery) => delivery.isOpen());
}

function record(
  provider: ProviderRef | undefined,
  serial: string,
  results: readonly BoxResult[],
  logRejection: RejectionLog,
): void {
  for (const { result, reason = '', detail } of results) {
    messagesByResult.inc({ result, reason });
    if (result === 'rejected') logRejection({ provider: provider?.id, serial, reason, detail });
  }
}

const tooSlow: BoxResult = {
  result: 'rejected',
  reason: 'failed',
  detail: 'Storing it takes longer than a statement may.',
};

const invalidTopic: BoxResult = {
  result: 'rejected',
  reason: 'invalid_topic',
  detail: 'The topic is not motorpool/{countryCode}/{code}/{serial}/messages.',
};
