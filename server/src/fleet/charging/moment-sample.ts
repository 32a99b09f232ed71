import type { Moment } from '../events.ts';
import type { ChargingSample } from './detection/session.ts';

/** The signals that sessions are detected by. */
export const chargingSignals = [
  'isCharging',
  'isPluggedIn',
  'stateOfCharge',
  'fuelLevel',
  'energyMeter',
  'odometer',
  'location',
] as const satisfies readonly (keyof Moment)[];

export function sampleOf(time: number, moment: Moment, levelIsCharge: boolean): ChargingSample {
  const { isPluggedIn, isCharging, energyMeter, location } = moment;
  return {
    time,
    isPluggedIn,
    isCharging,
    level: levelOf(moment, levelIsCharge),
    energyMeter,
    odometer: odometerOf(moment),
    location,
  };
}

/** Where a vehicle has no tank, its level is the state of charge, unless it reports that as well. */
function levelOf({ stateOfCharge, fuelLevel }: Moment, levelIsCharge: boolean) {
  return stateOfCharge ?? (levelIsCharge ? fuelLevel : undefined);
}

/** The odometer of a moment, where it shows whether the vehicle has moved; below, the same in SQL. */
function odometerOf({ odometer }: Moment): number | undefined {
  return odometer;
}

export const historyOdometer = 'case when odometer_confirmed is not false then odometer end';
