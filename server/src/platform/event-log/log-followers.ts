import { setTimeout as sleep } from 'node:timers/promises';
import { type EventStream, eventChunk } from '../http/event-stream.ts';
import { type Listener, partsOf, type SentEvent, sendToAll } from './send-to-all.ts';

export type NumberedEvent = SentEvent & { number: number };

export type ReadEvents = (
  provider: string,
  position: number,
  /** Others are passed over, and neither read nor rendered; by default there are none. */
  accepts?: Listener['accepts'],
) => Promise<{ events: readonly NumberedEvent[]; position: number; hasMore: boolean }>;

export type LogListener = Listener & {
  /** All events up to this number have been sent, or passed over. */
  position: number;
};

/** The position is that of the last page which the listeners have been sent, or are being sent. */
type Follower = { position: number; live: Set<LogListener> };

const pollMs = 250;
const retryMs = 1_000;
/** Listeners of a provider that are sent what they have missed, each by itself: so many pages are in memory. */
const maxCatchingUp = 4;

/**
 * Sends the log to any number of listeners: one reader for each provider that has some. A listener that is behind catches up
 * by itself, and joins the others where they are.
 */
export function createLogFollowers(read: ReadEvents, { partMs = 10_000 } = {}) {
  const followers = new Map<string, Follower>();
  const gates = new Map<string, ReturnType<typeof createGate>>();

  async function follow(provider: string, follower: Follower): Promise<void> {
    while (follower.live.size > 0) {
      try {
        const page = await read(provider, follower.position);
        // Before the first turn of others: who joins while the page is sent has read it alone.
        follower.position = Math.max(follower.position, page.position);
        await sendToAll(follower.live, page.events, takesNext);
        for (const listener of follower.live) moveTo(listener, page.position);
        if (!page.hasMore) await sleep(pollMs);
      } catch {
        // The database does not answer: nothing is lost, it goes on from where it is.
        await sleep(retryMs);
      }
    }
    followers.delete(provider);
  }

  function join(provider: string, listener: LogListener): void {
    const known = followers.get(provider);
    if (known) {
      known.live.add(listener);
      return;
    }
    const follower = { position: listener.position, live: new Set([listener]) };
    followers.set(provider, follower);
    void follow(provider, follower);
  }

  /** Whether all that others have been sent is behind the listener; what is still to come, it gets with them. */
  function isLevel(provider: string, { position }: LogListener): boolean {
    return position >= (followers.get(provider)?.position ?? 0);
  }

  /** In turn with other listeners of the provider: how many there are is felt by no other provider. */
  async function inTurn(provider: string, work: () => Promise<void>): Promise<void> {
    const gate = gates.get(provider) ?? createGate(maxCatchingUp);
    gates.set(provider, gate);
    try {
      await gate.pass(work);
    } finally {
      if (gate.isEmpty()) gates.delete(provider);
    }
  }

  return {
    /** Resolves once the listener gets what happens from now on. */
    async add(provider: string, listener: LogListener): Promise<void> {
      const { readable } = listener.stream;
      let hasMore = true;
      // The first listener may be far behind: it does not hold up those that come after it.
      while (!(followers.has(provider) ? isLevel(provider, listener) : !hasMore)) {
        await inTurn(provider, async () => {
          if (readable.destroyed) return;
          const page = await read(provider, listener.position, listener.accepts);
          for (const part of partsOf(page.events)) {
            await sendToAll(new Set([listener]), part, takesNext);
            await drained(listener.stream, partMs);
          }
          moveTo(listener, page.position);
          hasMore = page.hasMore;
        });
        if (readable.destroyed) return;
      }
      if (!readable.destroyed) join(provider, listener);
    },
    remove(provider: string, listener: LogListener): void {
      followers.get(provider)?.live.delete(listener);
    },
  };
}

/** Whether an event is sent to a listener, which is then behind it. */
function takesNext(listener: LogListener, event: NumberedEvent): boolean {
  if (event.number <= listener.position) return false;
  listener.position = event.number;
  return listener.accepts(event);
}

function moveTo(listener: LogListener, position: number): void {
  listener.position = Math.max(listener.position, position);
}

export function heartbeatOf({ position }: LogListener): Buffer {
  return eventChunk({ comment: 'heartbeat', id: String(position) });
}

/** Until the client has read what waits for it; one that takes longer makes way for others, and resumes. */
async function drained({ readable }: EventStream, timeoutMs: number): Promise<void> {
  const until = performance.now() + timeoutMs;
  while (!readable.destroyed && readable.readableLength > 0) {
    if (performance.now() > until) readable.destroy();
    else await sleep(10);
  }
}

/** Lets so many pass at a time, by arrival. */
function createGate(width: number) {
  let inside = 0;
  const waiting: (() => void)[] = [];
  return {
    isEmpty: () => inside === 0,
    async pass(work: () => Promise<void>): Promise<void> {
      // Whoever leaves hands over the place.
      if (inside < width) inside += 1;
      else await new Promise<void>((resolve) => waiting.push(resolve));
      try {
        await work();
      } finally {
        const next = waiting.shift();
        if (next) next();
        else inside -= 1;
      }
    },
  };
}
