import type { Vehicle, VehicleRequest } from '@motorpool/client';

/** What people change of a vehicle, in the order in which it is shown. */
export const draftFields = [
  'licensePlate',
  'vin',
  'vendor',
  'model',
  'variant',
  'seats',
  'firstRegistrationDate',
  'buildYear',
  'evBatteryCapacity',
  'iceTankCapacity',
  'active',
  'trackGeolocation',
] as const;
export type DraftField = (typeof draftFields)[number];

type Asset = Pick<Vehicle['asset'], 'active'>;
export type Draft = Pick<Vehicle['information'], Exclude<DraftField, keyof Asset>> & Asset;

export function draftOf({ asset, information }: Vehicle): Draft {
  const values = { ...information, active: asset.active };
  const entries = draftFields.map((field) => [field, values[field]] as const);
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined)) as Draft;
}

/** The whole vehicle: what the form does not have is that of `version`, as a write clears what it leaves out. */
export function requestOf({ active, ...information }: Draft, version?: Vehicle): VehicleRequest {
  const shown: readonly string[] = draftFields;
  const others = Object.entries(version?.information ?? {}).filter(
    ([name]) => !shown.includes(name),
  );
  return {
    asset: { ...version?.asset, active },
    information: { ...Object.fromEntries(others), ...information },
  };
}

/** Whether saving it deletes every position that is stored of the vehicle. */
export const erasesPositions = (base: Draft, draft: Draft): boolean =>
  base.trackGeolocation !== false && draft.trackGeolocation === false;
