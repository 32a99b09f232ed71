import { createHash } from 'node:crypto';

/** A link of the chain of a provider's events. */
export type Seal = {
  provider: string;
  number: number;
  sealedAt: string;
  eventIds: readonly string[];
  firstEventAt: string;
  lastEventAt: string;
  /** Of the events alone: so a seal can be checked when they are dropped. */
  eventsHash: Buffer;
  previousHash: Buffer;
  hash: Buffer;
};

export const noHash = Buffer.alloc(32);

/**
 * The hash of `audit_events e`. The text of jsonb is canonical: keys are sorted, and numbers have one form. Another
 * column would change every hash: it needs a version of the seals.
 */
export const eventHash = `sha256(convert_to(jsonb_build_array(
  e.provider, e.id, extract(epoch from e.occurred_at), e.action, e.type, e.vehicle_id, e.record_id, e.actor, e.changes,
  e.key_id, encode(e.personal, 'hex')
)::text, 'UTF8'))`;

export function hashEvents(hashes: readonly Buffer[]): Buffer {
  return createHash('sha256').update(Buffer.concat(hashes)).digest();
}

export function hashSeal(seal: Omit<Seal, 'hash'>): Buffer {
  const { provider, number, sealedAt, eventIds, firstEventAt, lastEventAt } = seal;
  const content = JSON.stringify([
    provider,
    number,
    sealedAt,
    eventIds,
    firstEventAt,
    lastEventAt,
    seal.eventsHash.toString('hex'),
    seal.previousHash.toString('hex'),
  ]);
  return createHash('sha256').update(content).digest();
}

export type SealRow = {
  provider: string;
  number: number;
  sealed_at: string;
  event_ids: string[];
  first_event_at: string;
  last_event_at: string;
  events_hash: Buffer;
  previous_hash: Buffer;
  hash: Buffer;
};

export const sealColumns = `
  provider, number, sealed_at, event_ids::text[], first_event_at, last_event_at, events_hash, previous_hash, hash`;

export function sealOf(row: SealRow): Seal {
  return {
    provider: row.provider,
    number: row.number,
    sealedAt: row.sealed_at,
    eventIds: row.event_ids,
    firstEventAt: row.first_event_at,
    lastEventAt: row.last_event_at,
    eventsHash: row.events_hash,
    previousHash: row.previous_hash,
    hash: row.hash,
  };
}
