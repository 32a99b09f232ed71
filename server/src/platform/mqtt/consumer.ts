import { createHmac } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '../db/database.ts';
import { addressOf, isPrivate } from './broker-url.ts';
import { type KeptConnection, type KeptOptions, keepConnected } from './keep-connected.ts';
import { type HeldSessions, renewalMs, sessionLeases } from './session-leases.ts';

export type Consumer = {
  state(): 'connected' | 'disconnected';
  stop(): Promise<void>;
};

type ConsumerOptions = Omit<KeptOptions, 'shares' | 'clientId'> & {
  db: Database;
  /** Whoever knows the client id of a session can take it over: they are derived from this secret. */
  sessionKey: () => Promise<Buffer>;
  /** Stops to take what is received, and waits until what is under way is acknowledged. */
  settle: () => Promise<void>;
};

/** Receives the messages of a topic until it is stopped, in the sessions that this process holds. */
export function startConsumer(options: ConsumerOptions): Consumer {
  const { broker, group, db, log } = options;
  const address = addressOf(broker);
  if (!isPrivate(broker)) {
    log.warn(
      { broker: address },
      'MQTT_URL has no TLS: whoever is on the way to the broker can read the password and the positions of vehicles, and change messages',
    );
  }
  const leases = sessionLeases(db.forTenant('mqtt', 'internal'));
  const stopping = new AbortController();
  const sessions = new Map<number, KeptConnection>();
  let shares = false;

  /** Connects the sessions that are held, and those no longer held no longer. */
  async function connectHeld({ held, hasOthers }: HeldSessions): Promise<void> {
    // A subscription that is alone is not shared: brokers forget shared ones more easily.
    const isOther = shares !== hasOthers;
    shares = hasOthers;
    for (const [number, session] of sessions) {
      if (held.includes(number) && !isOther) continue;
      sessions.delete(number);
      await session.stop();
    }
    for (const number of held) {
      if (sessions.has(number)) continue;
      const name = `${group}-${number}`;
      const clientId = `${name}-${suffixOf(name, await options.sessionKey())}`;
      sessions.set(number, keepConnected(name, { ...options, clientId, shares }));
    }
  }

  async function holdSessions(): Promise<void> {
    let isRenewed = true;
    while (!stopping.signal.aborted) {
      try {
        await connectHeld(await leases.renew());
        isRenewed = true;
      } catch (error) {
        if (isRenewed) {
          log.warn({ err: error }, 'the sessions at the MQTT broker cannot be renewed');
        }
        isRenewed = false;
      }
      // Without a session, it asks more often: one becomes free when its process stops or is killed.
      const waitMs = sessions.size === 0 ? 1_000 : renewalMs;
      await sleep(waitMs, undefined, { signal: stopping.signal }).catch(() => {});
    }
  }
  const holding = holdSessions();

  return {
    state() {
      const isConnected = [...sessions.values()].some((session) => session.isConnected());
      return isConnected ? 'connected' : 'disconnected';
    },
    async stop() {
      stopping.abort();
      await holding;
      await options.settle();
      await Promise.all([...sessions.values()].map((session) => session.stop()));
      await leases.release().catch((error) => {
        log.warn({ err: error }, 'the sessions at the MQTT broker cannot be released');
      });
    },
  };
}

function suffixOf(name: string, key: Buffer): string {
  return createHmac('sha256', key).update(name).digest('hex').slice(0, 32);
}
