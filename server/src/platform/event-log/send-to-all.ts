import { setImmediate } from 'node:timers/promises';
import type { EventStream } from '../http/event-stream.ts';

/** An event as it is sent, once for all listeners. */
export type SentEvent = { type: string; vehicleId: string | null; chunk: Buffer };

export type Listener = {
  stream: EventStream;
  accepts(event: Pick<SentEvent, 'type' | 'vehicleId'>): boolean;
};

const listenersOfTurn = 50;
/** What is sent to a listener at once; a single event may be larger. */
const partBytes = 65_536;

/**
 * Sends each listener the events that it takes, in their order, and lets others have a turn in between: there may be many of
 * both. Listeners that take the same share the bytes.
 */
export async function sendToAll<To extends Listener, Event extends SentEvent>(
  listeners: ReadonlySet<To>,
  events: readonly Event[],
  takes = (listener: To, event: Event) => listener.accepts(event),
): Promise<void> {
  for (const part of partsOf(events)) {
    const concatenate = concatenationsOf(part);
    let count = 0;
    for (const listener of listeners) {
      const bytes = concatenate((event) => takes(listener, event));
      if (bytes) listener.stream.send(bytes);
      count += 1;
      if (count % listenersOfTurn === 0) await setImmediate();
    }
    // What was sent leaves the process before more is.
    await setImmediate();
  }
}

export function* partsOf<Event extends SentEvent>(events: readonly Event[]): Generator<Event[]> {
  let part: Event[] = [];
  let bytes = 0;
  for (const event of events) {
    if (part.length > 0 && bytes + event.chunk.length > partBytes) {
      yield part;
      part = [];
      bytes = 0;
    }
    part.push(event);
    bytes += event.chunk.length;
  }
  if (part.length > 0) yield part;
}

/** The bytes of some of the events, which are the same bytes for the same events; undefined of none. */
function concatenationsOf<Event extends SentEvent>(events: readonly Event[]) {
  const known = new Map<string, Buffer>();
  return (isTaken: (event: Event) => boolean): Buffer | undefined => {
    const chunks: Buffer[] = [];
    let key = '';
    for (const [index, event] of events.entries()) {
      if (!isTaken(event)) continue;
      chunks.push(event.chunk);
      key += `${index},`;
    }
    if (chunks.length === 0) return undefined;
    const bytes = known.get(key) ?? Buffer.concat(chunks);
    known.set(key, bytes);
    return bytes;
  };
}
