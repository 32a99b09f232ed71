import type { Moment, SignalState } from '../events.ts';
import type { LastKnown } from './detection/session.ts';
import { sampleOf } from './moment-sample.ts';

/** What a status says of the values that a session may begin with. */
export function lastKnownOf({ signals, times }: SignalState, levelIsCharge: boolean): LastKnown {
  const lastKnown: LastKnown = {};
  for (const signal of lastKnownSignals) {
    const time = times[signal];
    if (time === undefined) continue;
    const sample = sampleOf(time, { [signal]: signals[signal] }, levelIsCharge);
    const { level, energyMeter, odometer, location } = sample;
    if (level !== undefined && !(lastKnown.level && lastKnown.level.time >= time)) {
      lastKnown.level = { value: level, time };
    }
    if (energyMeter !== undefined) lastKnown.meter = { value: energyMeter, time };
    if (odometer !== undefined) lastKnown.odometer = { value: odometer, time };
    if (location) lastKnown.location = { lat: location.lat, lng: location.lng, time };
  }
  return lastKnown;
}

// Of two levels of one time, the state of charge counts: so it comes first.
const lastKnownSignals = [
  'stateOfCharge',
  'fuelLevel',
  'energyMeter',
  'odometer',
  'location',
] as const satisfies readonly (keyof Moment)[];
