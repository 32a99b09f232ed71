import { setImmediate, setTimeout as sleep } from 'node:timers/promises';
import type { ProviderRef } from '../../../platform/http/operation.ts';
import type { Delivery } from '../../../platform/mqtt/connection.ts';
import type { Dependencies } from '../../dependencies.ts';
import { maxPayloadBytes } from './box-payload.ts';
import { type BoxResult, countResults, rejectedPayload } from './box-result.ts';
import { parseBoxTopic } from './box-topic.ts';
import { type RejectionLog, rejectionLog } from './rejection-log.ts';
import { deferDeliveries, mayDefer } from './store-deferred-messages.ts';
import {
  DisabledProvider,
  deliveryStore,
  takeTooLong,
  unknownProvider,
} from './store-deliveries.ts';

export type Log = { warn(details: object, message: string): void };

export type DeliveryReceiver = {
  receive(delivery: Delivery): void;
  /** Begins no further transaction, and waits for those under way. */
  settle(): Promise<void>;
};

type BoxDelivery = Delivery & { serial: string };
type Queue = {
  provider: ProviderRef;
  waiting: BoxDelivery[];
  isWorking: boolean;
  /** Whether deliveries are still tried to be stored that have been deferred. */
  isSlow: boolean;
  /** Whether the last try failed. */
  isFailing: boolean;
  /** Ends the tries. */
  retrying: AbortController;
};
type Waits = { firstRetryMs: number; deferAfterMs: number; collectMs: number; now: () => number };

// Of what is stored or deferred together.
const maxDeliveries = 1_000;
const maxBytes = maxPayloadBytes;
const maxRetryMs = 30_000;
const defaultWaits: Waits = {
  firstRetryMs: 500,
  deferAfterMs: 3_000,
  collectMs: 1_000,
  now: () => performance.now(),
};

/**
 * Stores what is delivered, provider by provider in batches, and acknowledges what is committed. What takes long or keeps
 * failing is left to a job, and acknowledged when that is committed: acknowledgements of all providers wait for each other.
 */
export function receiveDeliveries(
  dependencies: Dependencies,
  log: Log,
  waits: Partial<Waits> = {},
): DeliveryReceiver {
  const { firstRetryMs, deferAfterMs, collectMs, now } = { ...defaultWaits, ...waits };
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

  function warn(queue: Queue, error: unknown): void {
    if (queue.isFailing) return;
    queue.isFailing = true;
    const details = { err: error, provider: queue.provider.id };
    log.warn(details, 'messages of boxes cannot be stored yet');
  }

  const waitToRetry = (failures: number, ended: AbortSignal) =>
    sleep(Math.min(maxRetryMs, firstRetryMs * 2 ** failures), undefined, { signal: ended });

  /** Tries until they are stored; undefined if they take too long to be stored together. */
  async function storeWithRetries(queue: Queue, batch: BoxDelivery[], ended: AbortSignal) {
    for (let failures = 0; ; failures++) {
      try {
        const results = await store(queue.provider, batch);
        queue.isFailing = false;
        return results;
      } catch (error) {
        if (error instanceof DisabledProvider) return batch.map(() => [unknownProvider]);
        if (takeTooLong(error)) return undefined;
        warn(queue, error);
      }
      await waitToRetry(failures, ended);
    }
  }

  /** The results of each, or undefined if they are stored later. */
  async function storeOrDefer(queue: Queue, batch: BoxDelivery[], waitMs: number) {
    if (!queue.isSlow && waitMs > 0) {
      queue.retrying = new AbortController();
      const ended = AbortSignal.any([signal, queue.retrying.signal]);
      const storing = storeWithRetries(queue, batch, ended);
      const late = new AbortController();
      const results = await Promise.race([
        storing.then((stored) => ({ stored })),
        sleep(waitMs, undefined, { signal: late.signal }),
      ]).finally(() => late.abort());
      if (results?.stored) return results.stored;
      if (!results) awaitSlow(queue, storing);
    }
    try {
      return await defer(queue.provider, batch);
    } catch (error) {
      // The whole database is away: when it is back, what comes is stored rather than deferred.
      queue.retrying.abort();
      throw error;
    }
  }

  async function defer(provider: ProviderRef, batch: BoxDelivery[]) {
    if (!(await mayDefer(dependencies, provider))) return batch.map(() => [backlog]);
    await deferDeliveries(dependencies, provider, [batch]);
    return undefined;
  }

  /** Until it ends, what else comes of this provider is deferred. */
  function awaitSlow(queue: Queue, storing: Promise<unknown>): void {
    queue.isSlow = true;
    const end = () => {
      queue.isSlow = false;
      forget(queue);
    };
    track(storing.then(end, end));
  }

  function forget({ provider, isWorking, isSlow }: Queue): void {
    if (!isWorking && !isSlow) queues.delete(provider.id);
  }

  function track(promise: Promise<void>): void {
    const done = promise.finally(() => working.delete(done));
    working.add(done);
  }

  async function work(queue: Queue): Promise<void> {
    let failures = 0;
    /** Since when more than a batch has waited. */
    let behindSince = now();
    while (queue.waiting.length > 0) {
      // More of what has arrived with the first comes into the same transaction.
      await setImmediate();
      // And into the same job.
      if (queue.isSlow && countBatch(queue.waiting) === queue.waiting.length)
        await sleep(collectMs, undefined, { signal }).catch(() => {});
      if (signal.aborted) return;
      const batch = takeBatch(queue.waiting);
      if (queue.waiting.length === 0) behindSince = now();
      if (batch.length === 0) continue;
      try {
        // Batches that each take less may together take long: the acknowledgements of others wait for all of them.
        const waitMs = deferAfterMs - (now() - behindSince);
        const results = await storeOrDefer(queue, batch, waitMs);
        failures = 0;
        batch.forEach((delivery, index) => {
          finish(queue.provider, delivery, results?.[index] ?? []);
        });
      } catch (error) {
        if (signal.aborted) return;
        warn(queue, error);
        // Unacknowledged: if the connection breaks meanwhile, the broker delivers it again.
        queue.waiting.unshift(...batch);
        await waitToRetry(failures, signal).catch(() => {});
        failures += 1;
        behindSince = now();
      }
    }
    queue.isWorking = false;
    forget(queue);
  }

  return {
    receive(delivery) {
      const box = parseBoxTopic(delivery.topic);
      if (!box) {
        record(undefined, delivery.topic.slice(0, 200), [invalidTopic], logRejection);
        return delivery.acknowledge();
      }
      const { provider, serial } = box;
      if (delivery.payload.length > maxPayloadBytes) {
        return finish(provider, { ...delivery, serial }, [tooLarge]);
      }
      const queue = queues.get(provider.id) ?? newQueue(provider);
      queue.waiting.push({ ...delivery, serial });
      if (queue.isWorking) return;
      queue.isWorking = true;
      queues.set(provider.id, queue);
      track(work(queue));
    },
    async settle() {
      stopping.abort();
      await Promise.all(working);
    },
  };
}

function newQueue(provider: ProviderRef): Queue {
  return {
    provider,
    waiting: [],
    isWorking: false,
    isSlow: false,
    isFailing: false,
    retrying: new AbortController(),
  };
}

/** Removes the next from the queue, without those that the broker delivers again. */
function takeBatch(waiting: BoxDelivery[]): BoxDelivery[] {
  return waiting.splice(0, countBatch(waiting)).filter((delivery) => delivery.isOpen());
}

/** How many of those that wait are stored or deferred together. */
function countBatch(waiting: readonly BoxDelivery[]): number {
  let [count, bytes] = [0, 0];
  for (const { payload } of waiting) {
    if (count === maxDeliveries || (count > 0 && bytes + payload.length > maxBytes)) break;
    count += 1;
    bytes += payload.length;
  }
  return count;
}

function record(
  provider: ProviderRef | undefined,
  serial: string,
  results: readonly BoxResult[],
  logRejection: RejectionLog,
): void {
  countResults(results);
  for (const { result, ...rejection } of results) {
    if (result === 'rejected') logRejection({ provider: provider?.id, serial, ...rejection });
  }
}

const backlog = rejectedPayload('backlog', 'Too many messages of the provider wait to be stored.');
const tooLarge = rejectedPayload(
  'too_large',
  `The payload must have at most ${maxPayloadBytes} bytes.`,
);
const invalidTopic = rejectedPayload(
  'invalid_topic',
  'The topic is not motorpool/{countryCode}/{code}/{serial}/messages.',
);
