import type { BlockList } from 'node:net';
import type { Database } from '../../platform/db/database.ts';
import { ReadBudget, ReadBudgetExceeded } from '../../platform/db/read-budget.ts';
import { StatementTimeout } from '../../platform/db/statement-timeout.ts';
import { sequenceEvents } from '../../platform/event-log/sequence-events.ts';
import { createTurns } from '../../platform/turns.ts';
import { pauseUnlessAborted, SendRate } from '../../platform/webhooks/send-rate.ts';
import type { WebhookConnection, WebhookSender } from '../../platform/webhooks/webhook-sender.ts';
import type { RenderEvents } from '../event-log/public.ts';
import { deliveryTimeoutMs, messageOf } from './delivery-message.ts';
import {
  checkBeforeTry,
  type DueDelivery,
  type LeasedWebhook,
  leaseWebhooks,
  providersToNumber,
  recordTry,
  releaseWebhook,
  secretsOf,
  takeDue,
  type WebhooksAtOnce,
} from './delivery-store.ts';

export type DelivererOptions = {
  db: Database;
  render: RenderEvents;
  sender: WebhookSender;
  networks: BlockList;
  atOnce?: WebhooksAtOnce;
  wideTurns?: number;
  sendRate?: SendRate;
  onError(error: unknown, message: string): void;
};

export type Deliverer = {
  /** Lets the running tries end. */
  stop(): Promise<void>;
};

/** However slow the receivers of others are, a provider has its own part, and as many of the shared one as are left. */
const webhooksAtOnce: WebhooksAtOnce = { ofProvider: 4, shared: 200 };
/**
 * Turns of a process that take memory and sockets for several vehicles, of which a provider has no more than its own part; in
 * all others, of which there are more with every provider, and in those of receivers that fail, one event at a time is rendered
 * and sent.
 */
const maxWideTurns = 64;
/** Vehicles of one webhook whose events are sent at a time in a wide turn. */
const vehiclesAtOnce = 8;
/** Of a provider, whichever of its webhooks they are of: however fast its receivers are, others have the process as well. */
export const sendsPerSecond = 200;
/** As so many messages counts a new connection, most of which is the work of its encryption. */
export const connectionCost = 4;
/** A larger message counts as one more for each further such size. */
export const messageBytes = 16_384;
const pollMs = 500;
/** After that no further try begins, so that the last ends well before the lease. */
const turnMs = 20_000;
const numberedBatches = 5;
/** What is rendered in advance in a wide turn; larger events one at a time, as each is sent. */
const maxRenderedBytes = 1_048_576;

export function createSendRate(): SendRate {
  return new SendRate({ perSecond: sendsPerSecond });
}

/** Delivers events to webhooks until it is stopped, beside other processes that do. */
export function startDeliverer(options: DelivererOptions): Deliverer {
  const db = options.db.forTenant('webhooks', 'internal');
  const stopping = new AbortController();
  const running = new Map<Promise<void>, string>();
  const numbering = new Map<string, Promise<void>>();
  const { sendRate: rate = createSendRate() } = options;
  const inTurn = createTurns();
  let hasMore = false;
  /** The providers of the wide turns. */
  const wide: string[] = [];

  /** Not waited for: the log of one provider may be locked for a while, such as by an erasure. */
  const number = (provider: string) => {
    if (numbering.has(provider)) return;
    const work = sequenceEvents(options.db.forTenant(provider), provider, numberedBatches)
      .catch((error) => options.onError(error, 'the events of webhooks cannot be numbered'))
      .finally(() => numbering.delete(provider));
    numbering.set(provider, work);
  };

  const poll = async () => {
    rate.dropFull();
    for (const provider of await providersToNumber(db)) number(provider);
    const { atOnce = webhooksAtOnce, wideTurns: maxWide = maxWideTurns } = options;
    for await (const webhook of leaseWebhooks(db, atOnce, [...running.values()])) {
      // As its requests, so that its receivers have the connections of nobody else.
      const tenant = options.db.forTenant(webhook.provider);
      const { provider, isFailing } = webhook;
      const isWide =
        !isFailing && wide.length < maxWide && countOf(wide, provider) < atOnce.ofProvider;
      if (isWide) wide.push(provider);
      const turn = deliverTo(
        { ...options, db: tenant, inTurn, rate },
        webhook,
        isWide,
        stopping.signal,
      )
        .then((rests) => {
          if (!rests) hasMore = true;
        })
        .catch((error) => options.onError(error, 'the deliveries of a webhook failed'))
        .finally(() => {
          running.delete(turn);
          if (isWide) wide.splice(wide.indexOf(provider), 1);
        });
      running.set(turn, provider);
    }
  };

  const run = async () => {
    while (!stopping.signal.aborted) {
      hasMore = false;
      await poll().catch((error) => options.onError(error, 'webhooks cannot be delivered'));
      if (!hasMore) await pauseUnlessAborted(pollMs, stopping.signal);
    }
    await Promise.all([...running.keys(), ...numbering.values()]);
  };
  const ended = run();
  return {
    async stop() {
      stopping.abort();
      await ended;
    },
  };
}

type TurnOptions = DelivererOptions & {
  rate: SendRate;
  /** Of a provider, one work at a time. */
  inTurn: ReturnType<typeof createTurns>;
};

/** Delivers what is due to one webhook, and gives it back. Returns whether it rests. */
async function deliverTo(
  options: TurnOptions,
  webhook: LeasedWebhook,
  isWide: boolean,
  signal: AbortSignal,
): Promise<boolean> {
  const { db, rate } = options;
  const { provider, url } = webhook;
  const until = Date.now() + turnMs;
  // Also one whose turn fails: it would fail again at once.
  let rests = true;
  try {
    const receiver = { url, secrets: secretsOf(db, webhook) };
    const { due, hasMoved } = await takeDue(db, webhook);
    const messageFor = await renderEvents(options, webhook, due, { isWide, until });
    // Events without a vehicle have no order among each other.
    const queues = [...Map.groupBy(due, (one) => one.vehicle_id ?? one.event_id).values()];
    const work = async (connection: WebhookConnection) => {
      for (let queue = queues.shift(); queue; queue = queues.shift())
        for (const delivery of queue) {
          if (Date.now() > until || signal.aborted) return;
          if (!(await rate.take(provider, until - Date.now(), signal))) return;
          const checked = await checkBeforeTry(db, webhook, delivery);
          if (!checked) return;
          const message = await messageFor(delivery, checked);
          if (!message) return;
          if ('body' in message) rate.charge(provider, sizeCost(message.body));
          const outcome =
            'body' in message
              ? await connection.send(messageOf(receiver, delivery.event_id, message.body))
              : message;
          const { blocksVehicle } = await recordTry(db, webhook, delivery, outcome);
          if (blocksVehicle) break;
        }
    };
    const workers = Array.from({ length: isWide ? vehiclesAtOnce : 1 }, () => {
      const connection = options.sender.connect({
        tenant: provider,
        networks: options.networks,
        timeoutMs: deliveryTimeoutMs,
        onConnect: () => rate.charge(provider, connectionCost),
      });
      return work(connection).finally(() => connection.close());
    });
    await allEnded(workers);
    rests = due.length === 0 && !hasMoved;
  } finally {
    await releaseWebhook(db, webhook, { rests });
  }
  return rests;
}

function sizeCost(body: string): number {
  return Math.floor(Buffer.byteLength(body) / messageBytes);
}

function countOf(providers: readonly string[], provider: string): number {
  return providers.filter((one) => one === provider).length;
}

/** Waits for all, also where one fails: the webhook must not be leased again while something is sent to it. */
async function allEnded(work: Promise<void>[]): Promise<void> {
  const failed = (await Promise.allSettled(work)).find(({ status }) => status === 'rejected');
  if (failed?.status === 'rejected') throw failed.reason;
}

/** Of an event that cannot be sent, why that is. */
type Message = { body: string } | { error: string };

/** Undefined where the turn is over before the event could be rendered. */
type MessageFor = (
  delivery: DueDelivery,
  now: { isErased: boolean },
) => Promise<Message | undefined>;

/**
 * The messages of deliveries; what was erased since they were rendered in advance is in none. Events are rendered as the provider's
 * searches, and those of all its webhooks one after the other: a large record takes the database long.
 */
async function renderEvents(
  { db, render, inTurn }: TurnOptions,
  { provider }: LeasedWebhook,
  due: readonly DueDelivery[],
  { isWide, until }: { isWide: boolean; until: number },
): Promise<MessageFor> {
  const search = db.forTenant(provider, 'search');
  const bodiesOf = async (deliveries: readonly DueDelivery[], budget?: ReadBudget) => {
    const numbers = deliveries.map(({ number }) => number);
    const events = await render(search, provider, numbers, budget);
    return new Map(events.map((event) => [Number(event.sequence), JSON.stringify(event)]));
  };
  const oneByOne: MessageFor = (delivery) =>
    inTurn(provider, async () => {
      if (Date.now() > until) return undefined;
      try {
        return messageIn(await bodiesOf([delivery]), delivery);
      } catch (error) {
        if (error instanceof StatementTimeout)
          return { error: 'The event takes too long to read.' };
        throw error;
      }
    });
  if (!isWide || due.length === 0) return oneByOne;
  try {
    const budget = new ReadBudget(maxRenderedBytes, { firstRows: 1 });
    const bodies = await inTurn(provider, async () =>
      Date.now() > until ? undefined : bodiesOf(due, budget),
    );
    if (!bodies) return oneByOne;
    return async (delivery, now) =>
      now.isErased ? oneByOne(delivery, now) : messageIn(bodies, delivery);
  } catch (error) {
    if (error instanceof ReadBudgetExceeded || error instanceof StatementTimeout) return oneByOne;
    throw error;
  }
}

function messageIn(bodies: ReadonlyMap<number, string>, { number }: DueDelivery): Message {
  const body = bodies.get(number);
  return body === undefined ? { error: 'The event is no longer kept.' } : { body };
}
