import type { Queryable } from '../../platform/db/database.ts';
import { etagTexts } from '../../platform/http/etag.ts';
import type { ProviderRef } from '../../platform/http/operation.ts';
import { notFound } from '../../platform/http/problem.ts';
import { exampleVehicle } from './example-vehicle.ts';

export const { etagHeader, ifMatchHeader, changedMeanwhile, conditionHeaders, conditionFailed } =
  etagTexts('vehicle');

/** The path parameter of every operation on one vehicle. */
export const vehicleIdParameter = {
  vehicleId: {
    description: "The vehicle's id. Asterisks may stand as they are or as %2A.",
    example: exampleVehicle.asset.id,
  },
};

/**
 * Answers 404 unless the vehicle is one of the provider's. A transaction that goes on to write
 * something of the vehicle holds it, so that it cannot be deleted in between: `for key share` beside
 * others who do the same, `for no key update` one after the other.
 */
export async function requireVehicle(
  db: Queryable,
  provider: ProviderRef,
  vehicleId: string,
  hold: '' | 'for key share' | 'for no key update' = '',
): Promise<void> {
  const found = await db.query(`select 1 from vehicles where provider = $1 and id = $2 ${hold}`, [
    provider.id,
    vehicleId,
  ]);
  if (found.length === 0) throw notFound('vehicle');
}
