import { isDark, type Vehicle } from '../fleet/vehicles/public.ts';
import type { Car } from './car.ts';
import type { Phase, State } from './phase.ts';

/** A message of a databox, as the interface accepts it. */
export type Message = { vehicleId: string; timestamp: string } & Partial<
  Omit<Vehicle['status'], 'lastUpdated'>
> & { energyMeter?: number; stateOfCharge?: number };

/** The message of a vehicle, with the precision of a real one. */
export function messageOf(
  { id, tracked, battery, tank }: Car,
  { activity, pluggedIn, doorsClosed, locked }: Phase,
  state: State,
  serviceAt: number | undefined,
  sendsMeter: boolean,
): Message {
  const driving = activity === 'driving';
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
    ...(battery && { isPluggedIn: pluggedIn, isCharging: activity === 'charging' }),
    // Of a hybrid, the level is that of the tank.
    ...(battery && tank && { stateOfCharge: rounded((state.batteryKwh / battery.kwh) * 100, 1) }),
    ...(battery && tank && sendsMeter && { energyMeter: rounded(state.meterKwh, 2) }),
    ...(serviceAt !== undefined && { nextServiceDistance: Math.round(serviceAt - odometer) }),
    ...(tracked && {
      location: { lat: rounded(state.place.lat, 6), lng: rounded(state.place.lng, 6) },
    }),
  };
}

function rounded(value: number, digits: number): number {
  return Number(value.toFixed(digits));
}
