import { isDark, type Vehicle } from '../fleet/vehicles/public.ts';
import type { Car } from './car.ts';
import type { Phase, State } from './phase.ts';

/** A message of a databox, as the interface takes it. */
export type Message = { vehicleId: string; timestamp: string } & Partial<
  Omit<Vehicle['status'], 'lastUpdated'>
> & { energyMeter?: number };

/** What a vehicle tells of itself, rounded as a real one does. */
export function messageOf(
  { id, tracked, battery, tank }: Car,
  { doing, pluggedIn, doorsClosed, locked }: Phase,
  state: State,
  serviceAt: number | undefined,
  counts: boolean,
): Message {
  const driving = doing === 'driving';
  const odometer = rounded(state.odometer, 1);
  const level = tank ? state.litres / tank.litres : state.batteryKwh / (battery?.kwh ?? 1);
  const range = tank
    ? state.litres / tank.litresPerKm
    : state.batteryKwh / (battery?.kwhPerKm ?? 1);
  return {
    vehicleId: id,
    timestamp: new Date(state.time).toISOString(),
    odometer,
    fuelLevel: rounded(level * 100, 1),
    reach: Math.round(range),
    engineActive: driving,
    immobilizerActive: !driving,
    headlightsActive: driving && isDark(new Date(state.time)),
    isLocked: locked,
    doorsClosed,
    windowsClosed: true,
    ...(battery && { isPluggedIn: pluggedIn, isCharging: doing === 'charging' }),
    // Where the level is that of the tank, nothing else tells what was charged.
    ...(battery && tank && counts && { energyMeter: rounded(state.meterKwh, 2) }),
    ...(serviceAt !== undefined && { nextServiceDistance: Math.round(serviceAt - odometer) }),
    ...(tracked && {
      location: { lat: rounded(state.place.lat, 6), lng: rounded(state.place.lng, 6) },
    }),
  };
}

function rounded(value: number, digits: number): number {
  return Number(value.toFixed(digits));
}
