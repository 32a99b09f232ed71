import type { Database } from '../../../platform/db/database.ts';
import { isUnavailable } from '../../../platform/db/unavailable.ts';
import type { ProviderRef } from '../../../platform/http/operation.ts';
import { Problem } from '../../../platform/http/problem.ts';
import { runForMost } from '../../../platform/jobs/run-for-most.ts';
import type { Dependencies } from '../../dependencies.ts';
import type { Result } from '../result.ts';
import { ingestAll, readOne, type Sent } from '../send-databox-messages.ts';
import { statusFeedOf } from '../status-feed.ts';
import { boxPayloadReader, maxPayloadBytes } from './box-payload.ts';

export type BoxDelivery = { serial: string; payload: Buffer };

/** Of a message, or of a payload whose messages cannot be told apart. */
export type BoxResult = { result: Result['result']; reason?: string; detail?: string | undefined };

type Read = { delivery: BoxDelivery; messages: (Sent | Result)[] };

/** What is sent meanwhile is rejected; what was acknowledged before has to wait until it is enabled. */
export class DisabledProvider extends Error {
  override readonly name = 'DisabledProvider';
}

/** Stores what a provider's boxes sent, in one transaction; returns the results of each delivery. Throws DisabledProvider. */
export function deliveryStore({ db, events, clock, settings }: Dependencies) {
  const readPayload = boxPayloadReader(clock);
  const lookups = db.forTenant('mqtt', 'internal');
  // Not behind the provider's requests: what waits here keeps the messages of all providers from being received.
  const tenantOf = ({ id }: ProviderRef) => db.forTenant(`mqtt ${id}`, 'batch');

  async function read(delivery: BoxDelivery): Promise<Read | BoxResult> {
    const { payload, serial } = delivery;
    if (payload.length > maxPayloadBytes) {
      const detail = `The payload must have at most ${maxPayloadBytes} bytes.`;
      return { result: 'rejected', reason: 'too_large', detail };
    }
    try {
      const now = clock.now().getTime();
      const messages = await readPayload(payload, serial);
      return {
        delivery,
        messages: messages.map((message) => readOne(message, settings.historyDays, now)),
      };
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      const detail = error.errors?.[0]?.detail ?? error.message;
      return { result: 'rejected', reason: 'invalid', detail };
    }
  }

  async function ingestEach(
    tenant: Database,
    provider: ProviderRef,
    deliveries: Read[],
    reported: string[],
  ): Promise<Map<BoxDelivery, BoxResult[]>> {
    const results = new Map<BoxDelivery, BoxResult[]>();
    const ingest = () =>
      tenant.transaction(async (tx) => {
        const failing = await runForMost(tx, deliveries, async (some) => {
          const all = some.flatMap(({ messages }) => messages);
          const ingested = (await ingestAll({ tx, events, reported }, provider, all)).values();
          for (const { delivery, messages } of some) {
            results.set(delivery, [...ingested.take(messages.length)].map(boxResult));
          }
        });
        for (const [{ delivery }, error] of failing) {
          if (!isFaultOfData(error)) throw error;
          results.set(delivery, [{ result: 'rejected', reason: 'failed', detail: String(error) }]);
        }
      });
    try {
      await ingest();
    } catch (error) {
      if (deliveries.length === 1 || !isFaultOfData(error)) throw error;
      for (const one of deliveries) {
        for (const [delivery, result] of await ingestEach(tenant, provider, [one], reported)) {
          results.set(delivery, result);
        }
      }
    }
    return results;
  }

  return async (provider: ProviderRef, deliveries: BoxDelivery[]): Promise<BoxResult[][]> => {
    const [known] = await lookups.query<{ disabled: boolean }>(selectProvider, [provider.id]);
    if (!known) return deliveries.map(() => [unknownProvider]);
    if (known.disabled) throw new DisabledProvider(`${provider.id} is disabled.`);
    const all: (Read | BoxResult)[] = [];
    for (const delivery of deliveries) all.push(await read(delivery));
    const readable = all.filter((one) => 'messages' in one);
    const reported: string[] = [];
    const results =
      readable.length > 0
        ? await ingestEach(tenantOf(provider), provider, readable, reported)
        : new Map<BoxDelivery, BoxResult[]>();
    statusFeedOf(db).note(provider.id, reported);
    return all.map((one) => ('messages' in one ? (results.get(one.delivery) ?? []) : [one]));
  };
}

const selectProvider = 'select disabled_at is not null as disabled from providers where id = $1';

export const unknownProvider: BoxResult = {
  result: 'rejected',
  reason: 'unknown_provider',
  detail: 'The asset provider does not exist, or it is disabled.',
};

function boxResult({ result, reason, errors }: Result): BoxResult {
  return reason === undefined ? { result } : { result, reason, detail: errors?.[0]?.detail };
}

/** Whether the message itself is the cause, so that it would fail again. */
function isFaultOfData(error: unknown): boolean {
  if (isUnavailable(error)) return false;
  const { code } = error as { code?: unknown };
  return typeof code !== 'string' || /^2[23]/.test(code);
}
