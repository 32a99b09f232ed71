import type { Queryable } from '../../platform/db/database.ts';
import type { ProviderRef } from '../../platform/http/operation.ts';
import { notFound } from '../../platform/http/problem.ts';
import { recordEnd } from './session-store.ts';

/** A session that is there already, and the time that it takes. */
export type PreviousSession = {
  source: 'telemetry' | 'recorded';
  superseded: boolean;
  version: number;
  from: string;
  to: string;
};

/**
 * Holds the vehicle and its status, so that sessions are found and recorded one after the other.
 * Answers whether positions may be kept.
 */
export async function holdVehicle(
  tx: Queryable,
  provider: ProviderRef,
  vehicleId: string,
): Promise<{ keepsPosition: boolean }> {
  const [row] = await tx.query<{ keeps_position: boolean }>(
    `select s.keeps_position
     from vehicles v join vehicle_statuses s on s.provider = v.provider and s.vehicle_id = v.id
     where v.provider = $1 and v.id = $2
     for key share of v for update of s`,
    [provider.id, vehicleId],
  );
  if (!row) throw notFound('vehicle');
  return { keepsPosition: row.keeps_position };
}

export async function readPrevious(
  tx: Queryable,
  provider: ProviderRef,
  vehicleId: string,
  sessionId: string,
): Promise<PreviousSession | undefined> {
  const [row] = await tx.query<PreviousSession>(
    `select source, superseded, version, from_time as from, ${recordEnd('s')} as to
     from charging_sessions s
     where provider = $1 and vehicle_id = $2 and id = $3`,
    [provider.id, vehicleId, sessionId],
  );
  return row;
}
