import type { Vehicle } from '../fleet/vehicles/public.ts';
import { type Random, randomFor } from '../platform/random/random.ts';
import { type Beginning, life } from './behaviour.ts';
import { type Car, carOf } from './car.ts';
import { type Message, messageOf } from './message.ts';
import type { Phase, State } from './phase.ts';

/** A charging session as it really was. */
export type TrueSession = {
  from: number;
  /** Absent while it runs. */
  to?: number;
  /** It ran before the simulation began, so that its beginning is not known. */
  takenOver: boolean;
  fromKwh: number;
  toKwh: number;
};

export type SimulatedVehicle = {
  car: Car;
  /** The messages that it sends up to a moment, after those it was asked for before. */
  messagesUntil(time: number): Message[];
  /** A last message of the moment up to which it was asked; none when it has just sent one. */
  farewell(): Message[];
  stateAt(time: number): State;
  doing(): Phase['doing'];
  drivenKm(): number;
  chargedKwh(): number;
  sessions: readonly TrueSession[];
};

const MINUTE_MS = 60_000;
const everyMs = { driving: MINUTE_MS, charging: 5 * MINUTE_MS, parked: 30 * MINUTE_MS };

/** A vehicle that lives on from its status; the same seed gives the same life. */
export function simulateVehicle(vehicle: Vehicle, start: number, seed: string): SimulatedVehicle {
  const car = carOf(vehicle);
  const random = randomFor(`${seed}/${car.id}`);
  const first = stateOf(vehicle, car, start, random);
  const beginning = beginningOf(vehicle, car);
  const phases = life(car, first, beginning, random);
  const serviceAt = serviceOdometer(vehicle);
  const sessions: TrueSession[] = [];
  let phase = enter(phases.next().value);
  let next = phase.from;

  function enter(entered: Phase): Phase {
    const { batteryKwh } = entered.at(entered.from);
    const running = sessions.at(-1);
    const open = running && running.to === undefined ? running : undefined;
    if (entered.doing === 'charging' && !open) {
      const takenOver = sessions.length === 0 && beginning === 'charging';
      sessions.push({ from: entered.from, takenOver, fromKwh: batteryKwh, toKwh: batteryKwh });
    } else if (open) {
      open.toKwh = batteryKwh;
      if (entered.doing !== 'charging' && !entered.paused) open.to = entered.from;
    }
    return entered;
  }

  const at = (time: number) => phase.at(Math.min(Math.max(time, phase.from), phase.to));
  const messageAt = (time: number) => {
    const session = sessions.at(-1);
    // Where its counter stood in a session that it was found in, is not known.
    const counts = !(session?.takenOver && session.to === undefined);
    return messageOf(car, phase, at(time), serviceAt, counts);
  };
  let reached = start;
  let said = Number.NEGATIVE_INFINITY;

  return {
    car,
    sessions,
    stateAt: at,
    messagesUntil(time) {
      const messages: Message[] = [];
      while (next <= time) {
        if (next >= phase.to) {
          phase = enter(phases.next().value);
          next = phase.from;
          continue;
        }
        messages.push(messageAt(next));
        said = next;
        next = Math.min(next + everyMs[phase.doing], phase.to);
      }
      reached = time;
      return messages;
    },
    farewell: () => (said < reached && phase.from <= reached ? [messageAt(reached)] : []),
    doing: () => phase.doing,
    drivenKm: () => at(reached).odometer - first.odometer,
    chargedKwh: () => at(reached).meterKwh - first.meterKwh,
  };
}

function stateOf({ status }: Vehicle, car: Car, start: number, random: Random): State {
  const { odometer = 0, fuelLevel = 60, location } = status;
  const { battery, tank } = car;
  const street = random.pick(car.streets);
  const share = fuelLevel / 100;
  return {
    time: start,
    odometer,
    place: location ?? { lat: street.lat, lng: street.lng },
    // A plug-in hybrid does not say how full its battery is.
    batteryKwh: battery ? battery.kwh * (tank ? random.between(0.1, 0.9) : share) : 0,
    litres: tank ? tank.litres * share : 0,
    // As if all it has driven so far had been charged.
    meterKwh: battery ? Math.round(odometer * battery.kwhPerKm) : 0,
  };
}

function beginningOf({ status }: Vehicle, { battery }: Car): Beginning {
  if (status.engineActive) return 'driving';
  const { fuelLevel = 0, isCharging } = status;
  if (battery && isCharging && fuelLevel < 100) return 'charging';
  return battery && status.isPluggedIn ? 'plugged in' : 'parked';
}

function serviceOdometer({ status }: Vehicle): number | undefined {
  const { odometer = 0, nextServiceDistance } = status;
  return nextServiceDistance === undefined ? undefined : odometer + nextServiceDistance;
}
