import type { Queryable } from '../../platform/db/database.ts';
import type { ProviderRef } from '../../platform/http/operation.ts';
import { notFound } from '../../platform/http/problem.ts';
import { lockVehicles } from '../vehicles/public.ts';
import { recordEnd } from './session-store.ts';

/** What a write or a deletion has to know of a session that exists. */
export type StoredSession = {
  source: 'telemetry' | 'recorded';
  superseded: boolean;
  version: number;
  from: string;
  to: string;
};

/** Locks the vehicle, so that sessions are detected and recorded one after the other. */
export async function lockVehicle(
  tx: Queryable,
  provider: ProviderRef,
  vehicleId: string,
): Promise<{ keepsPosition: boolean }> {
  const [row] = await lockVehicles<{ keeps_position: boolean }>(
    tx,
    provider.id,
    [vehicleId],
    ['s.keeps_position'],
  );
  if (!row) throw notFound('vehicle');
  return { keepsPosition: row.keeps_position };
}

export async function readStored(
  tx: Queryable,
  provider: ProviderRef,
  vehicleId: string,
  sessionId: string,
): Promise<StoredSession | undefined> {
  const [row] = await tx.query<StoredSession>(
    `select source, superseded, version, from_time as from, ${recordEnd('s')} as to
     from charging_sessions s
     where provider = $1 and vehicle_id = $2 and id = $3`,
    [provider.id, vehicleId, sessionId],
  );
  return row;
}
