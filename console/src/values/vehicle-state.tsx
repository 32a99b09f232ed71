import type { Vehicle } from '@motorpool/client';
import { useFormats, useTexts } from '../texts/texts-provider.tsx';
import { useNow } from './now.ts';
import { StateBadge } from './state-badge.tsx';

const silentAfterMs = 86_400_000;
const lowPercent = 20;
/** Who drives sends often: after that it is not known whether a vehicle still does. */
export const drivingKnownSeconds = 900;
/** A level that rises is sent: a vehicle that has been quiet for longer may have been unplugged since. */
export const chargingKnownSeconds = 7_200;

export type StateName =
  | 'inactive'
  | 'silent'
  | 'charging'
  | 'driving'
  | 'unheard'
  | 'low'
  | 'pluggedIn'
  | 'parked';

/** The one thing to know of a vehicle now. */
export function stateOf({ asset, status, information }: Vehicle, now: number): StateName {
  if (!asset.active) return 'inactive';
  const heard = status.lastUpdated && new Date(status.lastUpdated).getTime();
  if (!heard || now - heard > silentAfterMs) return 'silent';
  const quietSeconds = (now - heard) / 1_000;
  if (status.isCharging) return quietSeconds > chargingKnownSeconds ? 'unheard' : 'charging';
  if (status.engineActive) return quietSeconds > drivingKnownSeconds ? 'unheard' : 'driving';
  const isElectric = information.evBatteryCapacity !== undefined;
  if (isElectric && (status.fuelLevel ?? 100) <= lowPercent && !status.isPluggedIn) return 'low';
  return status.isPluggedIn ? 'pluggedIn' : 'parked';
}

/** How each is shown, what needs somebody first. */
export const stateLooks = {
  low: { tone: 'warning', icon: 'battery-medium' },
  silent: { tone: 'warning', icon: 'wifi-off' },
  unheard: { tone: 'warning', icon: 'clock' },
  driving: { tone: 'info', icon: 'ship-wheel' },
  charging: { tone: 'good', icon: 'zap' },
  pluggedIn: { tone: 'neutral', icon: 'plug-zap' },
  parked: { tone: 'neutral', icon: 'circle-dashed' },
  inactive: { tone: 'neutral', icon: 'minus' },
} as const;

export function VehicleState({ vehicle }: { vehicle: Vehicle }) {
  const { vehicleStates, values } = useTexts();
  const formats = useFormats();
  const now = useNow();
  const state = stateOf(vehicle, now);
  const { lastUpdated } = vehicle.status;
  const text =
    state === 'unheard' && lastUpdated
      ? values.lastHeard(formats.age(lastUpdated, now))
      : vehicleStates[state];
  return <StateBadge {...stateLooks[state]} text={text} />;
}
