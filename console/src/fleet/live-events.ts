import type {
  FleetEvent,
  Motorpool,
  StreamedEvent,
  Vehicle,
  VehicleStatusEvent,
} from '@motorpool/client';
import type { QueryClient } from '@tanstack/react-query';
import type { StreamState } from './stream-state.ts';
import { whileVisible } from './while-visible.ts';

type RecordName<Type> = Type extends `${infer Name}.${string}` ? Name : never;

/** The types of records of which there are events; queries are named by them. */
export type QueryName = RecordName<FleetEvent['type']>;

export const recordEventTypes: (FleetEvent['type'] & string)[] = [
  'vehicle.created.v1',
  'vehicle.updated.v1',
  'vehicle.deleted.v1',
  'incident.created.v1',
  'incident.updated.v1',
  'incident.deleted.v1',
  'maintenance-report.created.v1',
  'maintenance-report.updated.v1',
  'maintenance-report.deleted.v1',
  'maintenance-schedule.created.v1',
  'maintenance-schedule.updated.v1',
  'maintenance-schedule.deleted.v1',
  'inspection.created.v1',
  'inspection.updated.v1',
  'inspection.deleted.v1',
  'charging-session.created.v1',
  'charging-session.updated.v1',
  'charging-session.deleted.v1',
  'logbook-entry.created.v1',
  'logbook-entry.updated.v1',
  'logbook-entry.deleted.v1',
  'checklist-entry.created.v1',
  'checklist-entry.updated.v1',
  'checklist-entry.deleted.v1',
  'checklist-template.created.v1',
  'checklist-template.updated.v1',
  'checklist-template.deleted.v1',
  'invoice.created.v1',
  'invoice.updated.v1',
  'invoice.deleted.v1',
  'driver.created.v1',
  'driver.deleted.v1',
  'databox.created.v1',
  'databox.updated.v1',
  'databox.deleted.v1',
  'file.created.v1',
  'file.updated.v1',
  'file.deleted.v1',
  'profile.updated.v1',
  'saved-view.created.v1',
  'saved-view.updated.v1',
  'saved-view.deleted.v1',
];

/** All by name, as statuses have to be named: a browser has few connections for a second stream. */
const watched: (StreamedEvent['type'] & string)[] = ['vehicle.status.v1', ...recordEventTypes];

const namesOfRecords = new Set(recordEventTypes.map(nameOf));

/** A record has its files within it, and no event of its own when they change. */
const ownersOfFiles: Readonly<Record<string, QueryName>> = {
  incidents: 'incident',
  logbook: 'logbook-entry',
  checklist: 'checklist-entry',
  invoices: 'invoice',
};

const pauseMs = 1_000;

/** Keeps what is cached up to date with the stream of events. */
export class LiveEvents {
  #state: StreamState = 'connecting';
  readonly #listeners = new Set<() => void>();
  readonly #statuses = new Map<string, VehicleStatusEvent['data']['resource']>();
  readonly #stale = new Set<string>();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #queries: QueryClient | undefined;
  /** What has to be read anew once the stream is open. */
  #missed: 'all' | 'statuses' | undefined;

  get state(): StreamState {
    return this.#state;
  }

  readonly setState = (state: StreamState): void => {
    // Not before it is open, or what happens until then would be missed.
    if (state === 'live') this.#renewMissed();
    if (state === 'lost') this.#missed ??= 'all';
    if (state === this.#state) return;
    this.#state = state;
    for (const listener of this.#listeners) listener();
  };

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /**
   * Listens while the page is visible: over HTTP/1.1 a browser has six connections for all its tabs.
   * Returns what ends it.
   */
  start(fleet: Motorpool, queries: QueryClient): () => void {
    this.#queries = queries;
    this.#missed = document.visibilityState === 'hidden' ? 'all' : undefined;
    return whileVisible((hidden) => {
      this.setState('connecting');
      hidden.addEventListener('abort', () => {
        this.#missed = 'all';
      });
      void this.#listen(fleet, hidden);
    });
  }

  async #listen(fleet: Motorpool, signal: AbortSignal): Promise<void> {
    try {
      for await (const event of fleet.events.stream({ types: watched, signal }))
        this.#receive(event);
    } catch {
      if (!signal.aborted) this.setState('lost');
    }
  }

  #receive(event: StreamedEvent): void {
    if (event.type === 'vehicle.status.v1')
      this.#statuses.set(event.vehicleid, event.data.resource);
    else {
      this.#stale.add(nameOf(event.type));
      const [, folder = ''] = /\/blobs\/(\w+)\//.exec(event.subject) ?? [];
      const owner = ownersOfFiles[folder];
      if (owner) this.#stale.add(owner);
    }
    // Together, as many may come at once.
    this.#timer ??= setTimeout(() => this.#apply(), pauseMs);
  }

  #apply(): void {
    this.#timer = undefined;
    const statuses = new Map(this.#statuses);
    this.#statuses.clear();
    if (statuses.size > 0) this.#updateVehicles(statuses);
    for (const name of this.#stale) void this.#queries?.invalidateQueries({ queryKey: [name] });
    this.#stale.clear();
  }

  #renewMissed(): void {
    const missed = this.#missed;
    // Should it break, it is resumed behind the last event of the log, which statuses are not in.
    this.#missed = 'statuses';
    if (missed === undefined) return;
    void this.#queries?.invalidateQueries({
      predicate: ({ queryKey: [name] }) =>
        missed === 'all' ? namesOfRecords.has(String(name)) : name === 'vehicle',
    });
  }

  #updateVehicles(statuses: Map<string, Vehicle['status']>): void {
    const renew = (vehicle: Vehicle): Vehicle => {
      const status = statuses.get(vehicle.asset.id);
      return status ? { ...vehicle, status } : vehicle;
    };
    this.#queries?.setQueriesData<{ items: Vehicle[] }>(
      { queryKey: ['vehicle', 'page'] },
      (page) => page && { ...page, items: page.items.map(renew) },
    );
    this.#queries?.setQueriesData<Vehicle>(
      { queryKey: ['vehicle', 'one'] },
      (one) => one && renew(one),
    );
    for (const id of statuses.keys())
      void this.#queries?.invalidateQueries({ queryKey: ['vehicle', 'signals', id] });
  }
}

function nameOf(type: string): string {
  return type.split('.')[0] ?? '';
}
