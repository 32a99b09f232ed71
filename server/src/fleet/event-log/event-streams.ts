import type { Database } from '../../platform/db/database.ts';
import { ReadBudget, ReadBudgetExceeded } from '../../platform/db/read-budget.ts';
import { StatementTimeout } from '../../platform/db/statement-timeout.ts';
import {
  createLogFollowers,
  heartbeatOf,
  type LogListener,
  type NumberedEvent,
  type ReadEvents,
} from '../../platform/event-log/log-followers.ts';
import { readLog } from '../../platform/event-log/read-log.ts';
import { sendToAll } from '../../platform/event-log/send-to-all.ts';
import { sequenceEvents } from '../../platform/event-log/sequence-events.ts';
import { eventChunk } from '../../platform/http/event-stream.ts';
import { maxAnswerBytes } from '../../platform/http/large-json.ts';
import type { ProviderRef } from '../../platform/http/operation.ts';
import { type Caller, clientKey } from '../../platform/http/principal.ts';
import { longWork } from '../../platform/pace.ts';
import type { Searchable } from '../../platform/search/searchable.ts';
import { statusFeedOf } from '../telemetry/public.ts';
import { createPageSizes } from './page-sizes.ts';
import type { EventRows, eventRenderer } from './render-events.ts';
import { readStatusEvents } from './status-events.ts';
import { createStreamRoom } from './stream-room.ts';
import { type Watcher, watchedVehicles } from './watched-vehicles.ts';

export type StreamListener = LogListener &
  Watcher & {
    isAuthorized(): Promise<boolean>;
    /** Which of the two it is sent. */
    wantsLog: boolean;
    wantsStatuses: boolean;
  };

const heartbeatMs = 15_000;
/** With what is cached of a realm, less than a second. */
const authorizationMs = 250;
const largestPage = 200;
const maxBatches = 5;
const bytesOfTurn = 65_536;
const heartbeat = eventChunk({ comment: 'heartbeat' });
/** In one process. */
export const maxListeners = 1_000;
export const maxListenersOfProvider = 500;
export const maxListenersOfClient = 250;
export const reservedListeners = 10;
const waitingBytesOfProvider = 64 * 1_048_576;

type Parts = { searchable: Searchable; renderer: ReturnType<typeof eventRenderer> };

/** The open streams of a process. */
export function createEventStreams(db: Database, { searchable, renderer }: Parts) {
  const listeners = new Map<StreamListener, ProviderRef>();
  const room = createStreamRoom({
    ofProvider: maxListenersOfProvider,
    ofClient: maxListenersOfClient,
    ofProcess: maxListeners,
    reserved: reservedListeners,
    waitingBytes: waitingBytesOfProvider,
  });
  const statusWatches = new Map<string, { listeners: Set<StreamListener>; end(): void }>();
  const checking = new Set<StreamListener>();
  let heartbeats: NodeJS.Timeout | undefined;
  let checks: NodeJS.Timeout | undefined;

  const pageSizes = createPageSizes(largestPage);
  const tenantOf = (provider: string) => db.forTenant(provider, 'search');

  async function readEvents(
    provider: ProviderRef,
    position: number,
    accepts: StreamListener['accepts'] = () => true,
  ): ReturnType<ReadEvents> {
    const tenant = tenantOf(provider.id);
    const limit = pageSizes.of(provider.id);
    try {
      const { rows, ...page } = await tenant.transaction(async (tx) => {
        const log = await readLog(tx, provider.id, position, searchable, [], limit);
        const wanted = log.events.filter(({ type, vehicle_id: vehicleId }) =>
          accepts({ type, vehicleId }),
        );
        const budget = new ReadBudget(maxAnswerBytes);
        return { ...log, rows: await renderer.readRows(tx, provider, wanted, budget) };
      }, 'read only');
      pageSizes.grow(provider.id, limit);
      return { ...page, events: await renderChunks(provider, rows) };
    } catch (error) {
      const isTooLarge = error instanceof ReadBudgetExceeded || error instanceof StatementTimeout;
      if (!isTooLarge || !pageSizes.shrink(provider.id, limit)) throw error;
      return readEvents(provider, position, accepts);
    }
  }

  /** Other requests are served between parts of a page, and have half of the time at least. */
  async function renderChunks(provider: ProviderRef, rows: readonly EventRows[]) {
    const endSlice = longWork.begin(provider.id);
    const events: NumberedEvent[] = [];
    let bytes = 0;
    for (const row of rows) {
      const { number, type, vehicle_id: vehicleId } = row.event;
      const data = JSON.stringify(renderer.render(provider, row));
      const chunk = eventChunk({ id: String(number), type, data });
      events.push({ number, type, vehicleId, chunk });
      bytes += chunk.length;
      if (bytes < bytesOfTurn) continue;
      bytes = 0;
      await endSlice();
    }
    return events;
  }

  const followers = createLogFollowers(async (id, position, accepts) => {
    await sequenceEvents(tenantOf(id), id, maxBatches);
    return readEvents(providerRef(id), position, accepts);
  });

  function watchStatuses(provider: ProviderRef, listener: StreamListener): void {
    const known = statusWatches.get(provider.id);
    if (known) {
      known.listeners.add(listener);
      return;
    }
    const watching = new Set([listener]);
    const end = statusFeedOf(db).watch(provider.id, async (ids) => {
      const wanted = watchedVehicles(watching, ids);
      for await (const events of readStatusEvents(tenantOf(provider.id), provider, wanted)) {
        const statuses = events.map((event) => ({
          type: event.type,
          vehicleId: event.vehicleid,
          chunk: eventChunk({ type: event.type, data: JSON.stringify(event) }),
        }));
        await sendToAll(watching, statuses);
      }
    });
    statusWatches.set(provider.id, { listeners: watching, end });
  }

  /** Each by itself: one whose issuer does not answer is not waited for by the others. */
  function endUnauthorized(): void {
    for (const listener of listeners.keys()) {
      if (checking.has(listener)) continue;
      checking.add(listener);
      void listener
        .isAuthorized()
        .then((isAuthorized) => {
          if (!isAuthorized) listener.stream.end();
        })
        .finally(() => checking.delete(listener));
    }
  }

  function startTimers(): void {
    if (heartbeats) return;
    heartbeats = setInterval(() => {
      for (const listener of listeners.keys())
        listener.stream.send(listener.wantsLog ? heartbeatOf(listener) : heartbeat);
    }, heartbeatMs).unref();
    checks = setInterval(endUnauthorized, authorizationMs).unref();
  }

  return {
    requireRoom: (caller: Caller) => room.require(caller.provider, clientKey(caller)),
    open: (caller: Caller, onClose: () => void) =>
      room.open(caller.provider, clientKey(caller), onClose),
    add(provider: ProviderRef, listener: StreamListener): void {
      listeners.set(listener, provider);
      startTimers();
      if (listener.wantsStatuses) watchStatuses(provider, listener);
      // A client whose stream ends resumes it.
      if (listener.wantsLog)
        void followers.add(provider.id, listener).catch(() => listener.stream.end());
    },
    remove(listener: StreamListener): void {
      const provider = listeners.get(listener);
      if (!provider) return;
      listeners.delete(listener);
      followers.remove(provider.id, listener);
      const watch = statusWatches.get(provider.id);
      if (watch?.listeners.delete(listener) && watch.listeners.size === 0) {
        watch.end();
        statusWatches.delete(provider.id);
      }
      if (listeners.size > 0) return;
      clearInterval(heartbeats);
      clearInterval(checks);
      heartbeats = undefined;
    },
  };
}

function providerRef(id: string): ProviderRef {
  const [countryCode = '', code = ''] = id.split('-');
  return { id, countryCode, code };
}
