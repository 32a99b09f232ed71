import { setImmediate } from 'node:timers/promises';
import type { Listener, SentEvent } from './log-followers.ts';

const listenersOfTurn = 50;

/** Sends each listener what it accepts at once, and lets others have a turn in between: there may be many of both. */
export async function sendToAll(
  listeners: ReadonlySet<Pick<Listener, 'stream' | 'accepts'>>,
  events: readonly Omit<SentEvent, 'number'>[],
): Promise<void> {
  const whole = Buffer.concat(events.map(({ chunk }) => chunk));
  let count = 0;
  for (const { stream, accepts } of listeners) {
    const accepted = events.filter(accepts);
    const isWhole = accepted.length === events.length;
    if (accepted.length > 0)
      stream.send(isWhole ? whole : Buffer.concat(accepted.map(({ chunk }) => chunk)));
    count += 1;
    if (count % listenersOfTurn === 0) await setImmediate();
  }
}
