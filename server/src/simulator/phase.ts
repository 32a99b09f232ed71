import type { Car } from './car.ts';
import type { ChargeCurve } from './charge-curve.ts';
import { type Place, placeAt, type Route } from './route.ts';

/** The state of a vehicle at one time. */
export type State = {
  time: number;
  /** In km, not rounded. */
  odometer: number;
  place: Place;
  batteryKwh: number;
  litres: number;
  /** The total charged energy. */
  meterKwh: number;
};

/** A period of one activity. */
export type Phase = {
  activity: 'driving' | 'charging' | 'parked';
  from: number;
  to: number;
  pluggedIn: boolean;
  /** The charging session continues without power. */
  paused: boolean;
  doorsClosed: boolean;
  locked: boolean;
  /** The state at a time of the period. */
  at(time: number): State;
};

const HOUR_MS = 3_600_000;

export function drive(car: Car, start: State, route: Route, kmPerHour: number): Phase {
  const to = Math.ceil(start.time + (route.km / kmPerHour) * HOUR_MS);
  const kmAt = (time: number) =>
    time >= to ? route.km : ((time - start.time) / HOUR_MS) * kmPerHour;
  return {
    ...closed,
    activity: 'driving',
    locked: false,
    from: start.time,
    to,
    at: (time) => {
      const km = kmAt(time);
      return {
        ...start,
        ...consume(car, start, km),
        time,
        odometer: start.odometer + km,
        place: placeAt(route, km),
      };
    },
  };
}

export function charge(start: State, curve: ChargeCurve, to: number): Phase {
  return {
    ...closed,
    activity: 'charging',
    pluggedIn: true,
    from: start.time,
    to,
    at: (time) => {
      const batteryKwh = curve.kwhAfter(time - start.time);
      const meterKwh = start.meterKwh + batteryKwh - start.batteryKwh;
      return { ...start, time, batteryKwh, meterKwh };
    },
  };
}

type ParkedState = Partial<Pick<Phase, 'pluggedIn' | 'paused' | 'doorsClosed' | 'locked'>>;

export function park(start: State, to: number, options: ParkedState = {}): Phase {
  const at = (time: number) => ({ ...start, time });
  return { ...closed, ...options, activity: 'parked', from: start.time, to, at };
}

/** Parked unlocked, with the tank filling up. */
export function refuel(start: State, to: number, litres: number): Phase {
  return {
    ...park(start, to, { locked: false }),
    at: (time) => {
      const share = (time - start.time) / (to - start.time);
      return { ...start, time, litres: start.litres + (litres - start.litres) * share };
    },
  };
}

const closed = { pluggedIn: false, paused: false, doorsClosed: true, locked: true };

export function rangeKm({ battery, tank }: Car, { batteryKwh, litres }: State): number {
  return (battery ? batteryKwh / battery.kwhPerKm : 0) + (tank ? litres / tank.litresPerKm : 0);
}

/** The energy left after a distance: the battery is used first, then the tank. */
function consume({ battery, tank }: Car, { batteryKwh, litres }: State, km: number) {
  const electricKm = battery ? Math.min(km, batteryKwh / battery.kwhPerKm) : 0;
  return {
    batteryKwh: battery ? Math.max(0, batteryKwh - electricKm * battery.kwhPerKm) : 0,
    litres: tank ? Math.max(0, litres - (km - electricKm) * tank.litresPerKm) : 0,
  };
}
