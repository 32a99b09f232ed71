import type { Queryable } from '../../platform/db/database.ts';
import { Problem } from '../../platform/http/problem.ts';
import { vinLock } from './deletion-lock.ts';

/** An active vehicle, and another active one of the provider with the same VIN. */
export type SharedVin = { id: string; otherId: string; vinKey: string };

/** Vehicles that must not be written as they are. */
export class SharedVins extends Error {
  override readonly name = 'SharedVins';
  readonly shared: readonly SharedVin[];

  constructor(shared: readonly SharedVin[]) {
    super(shared.map(sharedVinText).join(' '));
    this.shared = shared;
  }
}

export function sharedVinText({ otherId }: Pick<SharedVin, 'otherId'>): string {
  return `The active vehicle ${otherId} has this VIN: change or deactivate it first.`;
}

/**
 * Throws unless these vehicles, once written, are the only active ones with their VINs. The lock comes after those of
 * their rows; from then on, no other transaction finds its VINs unique before this one has ended.
 */
export async function requireUniqueVins(
  tx: Queryable,
  providerId: string,
  vehicleIds: readonly string[],
): Promise<void> {
  await tx.query(`select ${vinLock('$1')}`, [providerId]);
  const shared = await findSharedVins(tx, providerId, vehicleIds);
  if (shared.length > 0) throw new SharedVins(shared);
}

/** Those of the vehicles, as they are written, that share a VIN; without a lock others may still write the same. */
export async function findSharedVins(
  tx: Queryable,
  providerId: string,
  vehicleIds: readonly string[],
): Promise<SharedVin[]> {
  return tx.query(selectShared, [providerId, vehicleIds]);
}

// Lateral lookups with a limit: during an import the planner takes the table for empty, and would join it.
const selectShared = `
  select one.id, other.id as "otherId", v.vin_key as "vinKey" from unnest($2::text[]) as one (id)
  cross join lateral (
    select active, vin_key(vin) as vin_key from vehicles
    where provider = $1 and id = one.id and vin is not null limit 1
  ) v
  cross join lateral (
    select id from vehicles
    where provider = $1 and active and vin_key(vin) collate "C" = v.vin_key and id <> one.id limit 1
  ) other
  where v.active and v.vin_key <> ''`;

/** 409, as the answer to the write of one vehicle. */
export function vinTaken({ shared }: SharedVins): Problem {
  const detail = shared.map(sharedVinText).join(' ');
  const errors = [{ pointer: '/information/vin', detail }];
  return new Problem(409, 'vin-taken', 'Another vehicle has this VIN', { detail, errors });
}
