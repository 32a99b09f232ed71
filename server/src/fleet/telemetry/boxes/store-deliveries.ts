import type { Database } from '../../../platform/db/database.ts';
import { isTimeout } from '../../../platform/db/statement-timeout.ts';
import { isUnavailable } from '../../../platform/db/unavailable.ts';
import type { ProviderRef } from '../../../platform/http/operation.ts';
import { isTooExpensive, Problem } from '../../../platform/http/problem.ts';
import { runForMost } from '../../../platform/jobs/run-for-most.ts';
import type { Dependencies } from '../../dependencies.ts';
import type { Result } from '../result.ts';
import { ingestAll, readAll, type Sent } from '../send-databox-messages.ts';
import { statusFeedOf } from '../status-feed.ts';
import { boxPayloadReader, maxMessages } from './box-payload.ts';
import { type BoxResult, rejectedPayload, tallyResults } from './box-result.ts';

export type BoxDelivery = { serial: string; payload: Buffer };

type Read = { delivery: BoxDelivery; messages: (Sent | Result)[] };

/** Whether fewer deliveries might be stored. */
export function takeTooLong(error: unknown): boolean {
  return isTimeout(error) || isTooExpensive(error);
}

/** What is sent meanwhile is rejected; what was acknowledged before has to wait until it is enabled. */
export class DisabledProvider extends Error {
  override readonly name = 'DisabledProvider';
}

/**
 * Stores what a provider's boxes sent, in transactions of as many messages as a payload may have; returns the results of
 * each delivery. Throws DisabledProvider, and where several take too long together, why (`takeTooLong`).
 */
export function deliveryStore({ db, events, clock, settings }: Dependencies) {
  const readPayload = boxPayloadReader(clock);
  const lookups = db.forTenant('mqtt', 'internal');
  // Not behind the provider's requests: what waits here keeps the messages of all providers from being received.
  const tenantOf = ({ id }: ProviderRef) => db.forTenant(`mqtt ${id}`, 'batch');

  async function read(delivery: BoxDelivery): Promise<Read | BoxResult> {
    try {
      const now = clock.now().getTime();
      const messages = await readPayload(delivery.payload, delivery.serial);
      return { delivery, messages: await readAll(messages, settings.historyDays, now) };
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      return rejectedPayload('invalid', error.errors?.[0]?.detail ?? error.message);
    }
  }

  async function ingestEach(
    tenant: Database,
    provider: ProviderRef,
    deliveries: Read[],
    reported: string[],
  ): Promise<Map<BoxDelivery, BoxResult[]>> {
    const results = new Map<BoxDelivery, BoxResult[]>();
    // What one of them has spent, the others lack.
    const isTooMuchAtOnce = (error: unknown) => deliveries.length > 1 && isTooExpensive(error);
    const ingest = () =>
      tenant.transaction(async (tx) => {
        const failing = await runForMost(tx, deliveries, async (some) => {
          const all = some.flatMap(({ messages }) => messages);
          const ingested = (await ingestAll({ tx, events, reported }, provider, all)).values();
          for (const { delivery, messages } of some) {
            results.set(delivery, tallyResults(ingested.take(messages.length)));
          }
        });
        for (const [{ delivery }, error] of failing) {
          if (!isFaultOfData(error) || isTooMuchAtOnce(error)) throw error;
          results.set(delivery, [rejectedPayload('failed', String(error))]);
        }
      });
    try {
      await ingest();
    } catch (error) {
      if (deliveries.length === 1 || !isFaultOfData(error) || isTooMuchAtOnce(error)) throw error;
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
    const results = new Map<BoxDelivery, BoxResult[]>();
    let together: Read[] = [];
    let count = 0;
    const ingestTogether = async () => {
      if (together.length === 0) return;
      const reported: string[] = [];
      const ingested = await ingestEach(tenantOf(provider), provider, together, reported);
      for (const [delivery, result] of ingested) results.set(delivery, result);
      statusFeedOf(db).note(provider.id, reported);
      together = [];
      count = 0;
    };
    for (const delivery of deliveries) {
      const one = await read(delivery);
      if (!('messages' in one)) {
        results.set(delivery, [one]);
        continue;
      }
      if (count + one.messages.length > maxMessages) await ingestTogether();
      together.push(one);
      count += one.messages.length;
    }
    await ingestTogether();
    return deliveries.map((delivery) => results.get(delivery) ?? []);
  };
}

const selectProvider = 'select disabled_at is not null as disabled from providers where id = $1';

export const unknownProvider = rejectedPayload(
  'unknown_provider',
  'The asset provider does not exist, or it is disabled.',
);

const invalidParameterValue = '22023';

/** Whether the message itself is the cause, so that it would fail again; a parameter of a statement is ours. */
function isFaultOfData(error: unknown): boolean {
  if (isUnavailable(error)) return false;
  const { code } = error as { code?: unknown };
  if (typeof code !== 'string') return true;
  return /^2[23]/.test(code) && code !== invalidParameterValue;
}
