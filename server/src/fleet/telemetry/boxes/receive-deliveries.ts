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
  /** How many batches are still tried to be stored that have been deferred. */
  slowTries: number;
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
  /** Of a batch: the queue of a provider may take as long at each, without being slow. */
  const shareMs = deferAfterMs / 3;
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
    const ended = AbortSignal.any([signal, queue.retrying.signal]);
    const storing = storeWithRetries(queue, batch, ended);
    const late = new AbortController();
    const results = await Promise.race([
      storing.then((stored) => ({ stored })),
      sleep(waitMs, undefined, { signal: late.signal }),
    ]).finally(() => late.abort());
    if (results?.stored) return results.stored;
    if (!results) awaitSlow(queue, storing);
    return (await defer(queue, batch)) ? undefined : rejected(batch);
  }

  const rejected = (batch: BoxDelivery[]) => batch.map(() => [backlog]);

  /** Returns whether a job stores them later; if none can, what is still tried of others that were deferred is given up. */
  async function defer(queue: Queue, batch: BoxDelivery[]): Promise<boolean> {
    let isDeferred = false;
    try {
      if (!(await mayDefer(dependencies, queue.provider))) return false;
      await deferDeliveries(dependencies, queue.provider, [batch]);
      isDeferred = true;
      return true;
    } finally {
      // What comes is then tried: after the database was away, or while no more may wait for jobs.
      if (!isDeferred) {
        queue.retrying.abort();
        queue.retrying = new AbortController();
      }
    }
  }

  /** Until it ends, what else comes of this provider is deferred. */
  function awaitSlow(queue: Queue, storing: Promise<unknown>): void {
    queue.slowTries += 1;
    const end = () => {
      queue.slowTries -= 1;
      forget(queue);
    };
    track(storing.then(end, end));
  }

  function forget({ provider, isWorking, slowTries }: Queue): void {
    if (!isWorking && slowTries === 0) queues.delete(provider.id);
  }

  function track(promise: Promise<void>): void {
    const done = promise.finally(() => working.delete(done));
    working.add(done);
  }

  async function work(queue: Queue): Promise<void> {
    let failures = 0;
    /** By how much batches have exceeded their share; those that take less make up for others. */
    let lateMs = 0;
    /** How many of those that wait have waited for batches that took long together. */
    let delayed = 0;
    /** How long those have been tried that no job may store: together no longer than one batch, as others wait for them. */
    let triedMs = 0;
    while (queue.waiting.length > 0) {
      // More of what has arrived with the first comes into the same transaction.
      await setImmediate();
      // And into the same job.
      if (queue.slowTries > 0 && countBatch(queue.waiting) === queue.waiting.length)
        await sleep(collectMs, undefined, { signal }).catch(() => {});
      if (signal.aborted) return;
      const taken = queue.waiting.splice(0, countBatch(queue.waiting));
      delayed -= taken.length;
      // The broker delivers the others again.
      const batch = taken.filter((delivery) => delivery.isOpen());
      if (batch.length === 0) continue;
      try {
        // The last of those that were delayed are tried: they tell whether storing is still slow.
        const isLeft = queue.slowTries > 0 || delayed > 0;
        if (!isLeft) triedMs = 0;
        const isDeferred = isLeft && (await defer(queue, batch));
        const isTried = !isDeferred && queue.slowTries === 0 && triedMs < deferAfterMs;
        const begunAt = now();
        const waitMs = deferAfterMs - triedMs;
        let results: BoxResult[][] | undefined;
        if (isTried) results = await storeOrDefer(queue, batch, waitMs);
        else if (!isDeferred) results = rejected(batch);
        failures = 0;
        batch.forEach((delivery, index) => {
          finish(queue.provider, delivery, results?.[index] ?? []);
        });
        if (!isTried) continue;
        if (isLeft) triedMs += now() - begunAt;
        lateMs = Math.max(0, lateMs + now() - begunAt - shareMs);
        if (lateMs < shareMs) continue;
        // The acknowledgements of others wait for all of them.
        delayed = queue.waiting.length;
        lateMs = 0;
      } catch (error) {
        if (signal.aborted) return;
        warn(queue, error);
        // Unacknowledged: if the connection breaks meanwhile, the broker delivers it again.
        queue.waiting.unshift(...batch);
        delayed = 0;
        lateMs = 0;
        await waitToRetry(failures, signal).catch(() => {});
        failures += 1;
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
    slowTries: 0,
    isFailing: false,
    retrying: new AbortController(),
  };
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
