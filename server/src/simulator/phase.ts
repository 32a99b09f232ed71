import type { Car } from './car.ts';
import type { ChargeCurve } from './charge-curve.ts';
import { type Place, placeAt, type Route } from './route.ts';

/** What changes of a vehicle, at one moment. */
export type State = {
  time: number;
  /** In km, as exact as a number can be. */
  odometer: number;
  place: Place;
  batteryKwh: number;
  litres: number;
  /** What was charged in all, as the vehicle counts it. */
  meterKwh: number;
};

/** A time in which a vehicle does one thing. */
export type Phase = {
  doing: 'driving' | 'charging' | 'parked';
  from: number;
  to: number;
  pluggedIn: boolean;
  /** The session at the plug goes on although nothing flows. */
  paused: boolean;
  doorsClosed: boolean;
  locked: boolean;
  /** The state at a moment of it. */
  at(time: number): State;
};

const HOUR_MS = 3_600_000;

export function drive(car: Car, start: State, route: Route, kmPerHour: number): Phase {
  const to = Math.ceil(start.time + (route.km / kmPerHour) * HOUR_MS);
  const kmAt = (time: number) =>
    time >= to ? route.km : ((time - start.time) / HOUR_MS) * kmPerHour;
  return {
    ...closed,
    doing: 'driving',
    locked: false,
    from: start.time,
    to,
    at: (time) => {
      const km = kmAt(time);
      return {
        ...start,
        ...after(car, start, km),
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
    doing: 'charging',
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

type Standing = Partial<Pick<Phase, 'pluggedIn' | 'paused' | 'doorsClosed' | 'locked'>>;

export function park(start: State, to: number, standing: Standing = {}): Phase {
  const at = (time: number) => ({ ...start, time });
  return { ...closed, ...standing, doing: 'parked', from: start.time, to, at };
}

/** Stands at the pump, open. */
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

/** How far it comes with what it has, to the last drop. */
export function rangeKm({ battery, tank }: Car, { batteryKwh, litres }: State): number {
  return (battery ? batteryKwh / battery.kwhPerKm : 0) + (tank ? litres / tank.litresPerKm : 0);
}

/** What is left after so many km: the battery is used first, the tank where there is no battery left. */
function after({ battery, tank }: Car, { batteryKwh, litres }: State, km: number) {
  const electricKm = battery ? Math.min(km, batteryKwh / battery.kwhPerKm) : 0;
  return {
    batteryKwh: battery ? Math.max(0, batteryKwh - electricKm * battery.kwhPerKm) : 0,
    litres: tank ? Math.max(0, litres - (km - electricKm) * tank.litresPerKm) : 0,
  };
}
