import type { Queryable } from '../../platform/db/database.ts';
import { etagTexts } from '../../platform/http/etag.ts';
import type { ProviderRef } from '../../platform/http/operation.ts';
import { textParameter } from '../../platform/http/path-parameter.ts';
import { notFound } from '../../platform/http/problem.ts';
import { heldOffDeletion } from './deletion-lock.ts';
import { exampleVehicle } from './example-vehicle.ts';
import { maxVehicleIdLength } from './vehicle.ts';

export const { etagHeader, ifMatchHeader, changedMeanwhile, conditionHeaders, conditionFailed } =
  etagTexts('vehicle');

/** The path parameter of every operation on one vehicle. */
export const vehicleIdParameter = {
  vehicleId: textParameter(
    maxVehicleIdLength,
    "The vehicle's id. Asterisks may be sent as they are or as %2A.",
    exampleVehicle.asset.id,
  ),
};

/**
 * Throws 404 unless the vehicle is one of the provider's. A transaction that then writes locks it against deletion:
 * `for key share` concurrently with others that do the same, `for no key update` exclusively.
 */
export async function requireVehicle(
  db: Queryable,
  provider: ProviderRef,
  vehicleId: string,
  lock: '' | 'for key share' | 'for no key update' = '',
): Promise<void> {
  const rows = await db.query(
    lock === ''
      ? selectVehicle
      : `${selectVehicle} and ${heldOffDeletion('$1', '$2::text')} ${lock}`,
    [provider.id, vehicleId],
  );
  if (rows.length === 0) throw notFound('vehicle');
}

const selectVehicle = 'select 1 from vehicles where provider = $1 and id = $2';
