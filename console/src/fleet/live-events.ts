import type { FleetEvent, Motorpool, Vehicle, VehicleStatusEvent } from '@motorpool/client';
import type { QueryClient } from '@tanstack/react-query';
import type { StreamState } from './stream-state.ts';

type AnyEvent = FleetEvent | VehicleStatusEvent;

/** The types of events whose records a query shows; queries are named by them. */
const watchedTypes = [
  'vehicle',
  'incident',
  'maintenance-report',
  'invoice',
  'inspection',
  'charging-session',
  'driver',
  'profile',
] as const;

export type QueryName = (typeof watchedTypes)[number];

const pauseMs = 1_000;

/** Keeps what is cached up to date with the stream of events. */
export class LiveEvents {
  #state: StreamState = 'connecting';
  readonly #listeners = new Set<() => void>();
  readonly #statuses = new Map<string, VehicleStatusEvent['data']['resource']>();
  readonly #stale = new Set<string>();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #queries: QueryClient | undefined;

  get state(): StreamState {
    return this.#state;
  }

  readonly setState = (state: StreamState): void => {
    if (state === this.#state) return;
    this.#state = state;
    for (const listener of this.#listeners) listener();
  };

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  async run(fleet: Motorpool, queries: QueryClient, signal: AbortSignal): Promise<void> {
    this.#queries = queries;
    const changes = watchedTypes.flatMap((type) =>
      ['created', 'updated', 'deleted'].map((verb) => `${type}.${verb}.v1`),
    );
    try {
      const types = [...changes, 'vehicle.status.v1'];
      for await (const event of fleet.events.stream({ types, signal })) this.#receive(event);
    } catch {
      if (!signal.aborted) this.setState('lost');
    }
  }

  #receive(event: AnyEvent): void {
    if (event.type === 'vehicle.status.v1')
      this.#statuses.set(event.vehicleid, event.data.resource);
    else this.#stale.add(event.type.split('.')[0] ?? '');
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
