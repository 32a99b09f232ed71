import { randomFor } from '../../../platform/random/random.ts';
import type { Model } from './models.ts';

/** What charging a vehicle depends on. */
export type Electric = {
  capacityKwh: number;
  kwhPerKm: number;
  /** What a wallbox gives it. */
  acKw: number;
  /** Its level is its state of charge, not that of a tank. */
  levelIsCharge: boolean;
  /** It counts what it charges. */
  counts: boolean;
};

/** What a plug-in hybrid uses while it drives on its battery. */
export const plugInKwhPerKm = 0.2;

export function electricOf(
  vehicleId: string,
  { drive, batteryKwh, per100Km }: Model,
): Electric | undefined {
  if (batteryKwh === undefined) return undefined;
  const levelIsCharge = drive === 'battery';
  return {
    capacityKwh: batteryKwh,
    kwhPerKm: levelIsCharge ? per100Km / 100 : plugInKwhPerKm,
    acKw: wallboxKw(batteryKwh),
    levelIsCharge,
    counts: !levelIsCharge || randomFor(`${vehicleId}/counter`).chance(0.4),
  };
}

/** Small batteries come with small chargers. */
export function wallboxKw(batteryKwh: number): number {
  return batteryKwh < 30 ? 3.6 : 11;
}
