import { randomFor } from '../../../platform/random/random.ts';
import type { Model } from './models.ts';

/** What charging a vehicle depends on. */
export type Electric = {
  capacityKwh: number;
  kwhPerKm: number;
  /** What a wallbox gives it. */
  acKw: number;
  /** At most at a fast charger; absent where it cannot use one. */
  maxDcKw?: number;
  /** Its level is its state of charge, not that of a tank. */
  levelIsCharge: boolean;
  /** It counts what it charges. */
  counts: boolean;
};

/** What the wallboxes of the depots and of most public places give. */
export const wallboxKw = 11;

/** What a plug-in hybrid uses while it drives on its battery. */
export const plugInKwhPerKm = 0.2;

export function electricOf(
  vehicleId: string,
  { drive, batteryKwh, maxAcKw, maxDcKw, per100Km }: Model,
): Electric | undefined {
  if (batteryKwh === undefined || maxAcKw === undefined) return undefined;
  const levelIsCharge = drive === 'battery';
  return {
    capacityKwh: batteryKwh,
    kwhPerKm: levelIsCharge ? per100Km / 100 : plugInKwhPerKm,
    acKw: Math.min(wallboxKw, maxAcKw),
    ...(maxDcKw !== undefined && { maxDcKw }),
    levelIsCharge,
    counts: !levelIsCharge || randomFor(`${vehicleId}/counter`).chance(0.4),
  };
}
