import type { Queryable } from '../db/database.ts';

/** What is done when something happens, by the name of the event. */
export type Subscriptions<Events, Context> = {
  [Name in keyof Events]?: (event: Events[Name], context: Context) => Promise<void>;
};

export type Publisher<Events> = {
  /** Runs the subscribers in the transaction of the change; an error of any of them rolls it back. */
  publish<Name extends keyof Events>(tx: Queryable, name: Name, event: Events[Name]): Promise<void>;
};

/** What every subscriber is given besides the event. */
export type EventContext<Events> = { tx: Queryable; events: Publisher<Events> };

/** Subscribers are called one after the other, in the order of the list, once per published event. */
export function createPublisher<Events, Given extends object>(
  subscriptions: readonly Subscriptions<Events, Given & EventContext<Events>>[],
  given: Given,
): Publisher<Events> {
  const publisher: Publisher<Events> = {
    async publish(tx, name, event) {
      for (const { [name]: handle } of subscriptions)
        await handle?.(event, { ...given, tx, events: publisher });
    },
  };
  return publisher;
}
