import type { Vehicle } from '@motorpool/client';

/** What people call a vehicle: its plate, else its id. */
export function plateOf({ asset, information }: Vehicle): string {
  return information.licensePlate ?? asset.id;
}

/** Make, model and variant. */
export function modelOf({ information }: Vehicle): string {
  return [information.vendor, information.model, information.variant].filter(Boolean).join(' ');
}

/** No id stands in for a plate that is still to come. */
export function plateIn(
  found: ReadonlyMap<string, Vehicle> | undefined,
  vehicleId: string,
  isLoading: boolean,
): string | undefined {
  const vehicle = found?.get(vehicleId);
  if (vehicle) return plateOf(vehicle);
  return isLoading ? undefined : vehicleId;
}
