import { randomFor } from '../../../platform/random/random.ts';
import { HOUR_MS } from '../../../platform/time/duration.ts';
import type { Vehicle } from '../vehicle.ts';
import type { Electric } from './electric.ts';

/** The stand at the plug in which its newest signal finds a vehicle: it has not moved since. */
export type Stand = {
  since: number;
  /** Absent while it charges. */
  until?: number;
  chargedKwh: number;
  /** The state of charge when it was plugged in, and now. */
  fromLevel: number;
  toLevel: number;
};

const lowestLevel = 6;

export function standOf(
  vehicleId: string,
  status: Vehicle['status'],
  { capacityKwh, acKw, levelIsCharge }: Electric,
): Stand | undefined {
  const { isPluggedIn, isCharging, fuelLevel = 0, lastUpdated = '' } = status;
  if (!isPluggedIn) return undefined;
  const random = randomFor(`${vehicleId}/stand`);
  const last = Date.parse(lastUpdated);
  const most = levelIsCharge ? (fuelLevel - lowestLevel) / 100 : 0.95;
  const share = most * random.between(0.1, isCharging ? 0.6 : 0.9);
  const percent = Math.max(1, Math.round(share * 100));
  const chargedKwh = (percent / 100) * capacityKwh;
  const durationMs = (chargedKwh / acKw) * HOUR_MS;
  // The level of a hybrid is that of its tank; it is unplugged when it is full.
  const toLevel = levelIsCharge ? fuelLevel : isCharging ? Math.max(percent + 5, 80) : 100;
  const idleMs = isCharging ? 0 : random.between(0.4, 3) * HOUR_MS;
  return {
    since: Math.floor(last - idleMs - durationMs),
    ...(!isCharging && { until: Math.floor(last - idleMs) }),
    chargedKwh,
    fromLevel: toLevel - percent,
    toLevel,
  };
}
