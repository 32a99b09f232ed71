import type { Queryable } from '../db/database.ts';

/** Event handlers by event name. */
export type Subscriptions<Events, Context> = {
  [Name in keyof Events]?: (event: Events[Name], context: Context) => Promise<void>;
};

export type Publisher<Events> = {
  /** Runs the subscribers in the transaction of the change; an error of any of them rolls it back. */
  publish<Name extends keyof Events>(tx: Queryable, name: Name, event: Events[Name]): Promise<void>;
};

/** What every subscriber receives besides the event and its dependencies. */
export type EventContext<Events> = { tx: Queryable; events: Publisher<Events> };

/** Subscribers are called one after the other, in the order of the list, once per published event. */
export function createPublisher<Events, Dependencies extends object>(
  subscriptions: readonly Subscriptions<Events, Dependencies & EventContext<Events>>[],
  dependencies: Dependencies,
): Publisher<Events> {
  const publisher: Publisher<Events> = {
    async publish(tx, name, event) {
      for (const { [name]: handle } of subscriptions)
        await handle?.(event, { ...dependencies, tx, events: publisher });
    },
  };
  return publisher;
}
