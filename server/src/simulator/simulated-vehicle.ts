import type { Vehicle } from '../fleet/vehicles/public.ts';
import { type Random, randomFor } from '../platform/random/random.ts';
import { type InitialActivity, simulatePhases } from './behaviour.ts';
import { type Car, carOf } from './car.ts';
import { type Message, messageOf } from './message.ts';
import type { Phase, State } from './phase.ts';

/** A charging session of the simulation, to compare detected ones with. */
export type SimulatedSession = {
  from: number;
  /** Absent while it runs. */
  to?: number;
  /** It started before the simulation, at an unknown time. */
  startedBefore: boolean;
  fromKwh: number;
  toKwh: number;
};

export type SimulatedVehicle = {
  car: Car;
  /** The messages up to a time, since the last call. */
  messagesUntil(time: number): Message[];
  /** A message of the time of the last call, unless one has just been sent. */
  finalMessage(): Message[];
  stateAt(time: number): State;
  activity(): Phase['activity'];
  drivenKm(): number;
  chargedKwh(): number;
  sessions: readonly SimulatedSession[];
};

const MINUTE_MS = 60_000;
const messageIntervalMs = { driving: MINUTE_MS, charging: 5 * MINUTE_MS, parked: 30 * MINUTE_MS };

/** Simulates a vehicle from its status on; equal seeds give equal results. */
export function simulateVehicle(vehicle: Vehicle, start: number, seed: string): SimulatedVehicle {
  const car = carOf(vehicle);
  const random = randomFor(`${seed}/${car.id}`);
  const first = stateOf(vehicle, car, start, random);
  const initialActivity = initialActivityOf(vehicle, car);
  const phases = simulatePhases(car, first, initialActivity, random);
  const serviceAt = serviceOdometer(vehicle);
  const sessions: SimulatedSession[] = [];
  let phase = enter(phases.next().value);
  let next = phase.from;

  function enter(entered: Phase): Phase {
    const { batteryKwh } = entered.at(entered.from);
    const running = sessions.at(-1);
    const open = running && running.to === undefined ? running : undefined;
    if (entered.activity === 'charging' && !open) {
      const startedBefore = sessions.length === 0 && initialActivity === 'charging';
      sessions.push({ from: entered.from, startedBefore, fromKwh: batteryKwh, toKwh: batteryKwh });
    } else if (open) {
      open.toKwh = batteryKwh;
      if (entered.activity !== 'charging' && !entered.paused) open.to = entered.from;
    }
    return entered;
  }

  const at = (time: number) => phase.at(Math.min(Math.max(time, phase.from), phase.to));
  const messageAt = (time: number) => {
    const session = sessions.at(-1);
    // The meter at the start of such a session is not known.
    const sendsMeter = !(session?.startedBefore && session.to === undefined);
    return messageOf(car, phase, at(time), serviceAt, sendsMeter);
  };
  let reached = start;
  let lastSent = Number.NEGATIVE_INFINITY;

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
        lastSent = next;
        next = Math.min(next + messageIntervalMs[phase.activity], phase.to);
      }
      reached = time;
      return messages;
    },
    finalMessage: () => (lastSent < reached && phase.from <= reached ? [messageAt(reached)] : []),
    activity: () => phase.activity,
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
    // The status of a plug-in hybrid has no state of charge.
    batteryKwh: battery ? battery.kwh * (tank ? random.between(0.1, 0.9) : share) : 0,
    litres: tank ? tank.litres * share : 0,
    // As if the whole distance had been driven electrically.
    meterKwh: battery ? Math.round(odometer * battery.kwhPerKm) : 0,
  };
}

function initialActivityOf({ status }: Vehicle, { battery }: Car): InitialActivity {
  if (status.engineActive) return 'driving';
  const { fuelLevel = 0, isCharging } = status;
  if (battery && isCharging && fuelLevel < 100) return 'charging';
  return battery && status.isPluggedIn ? 'plugged in' : 'parked';
}

function serviceOdometer({ status }: Vehicle): number | undefined {
  const { odometer = 0, nextServiceDistance } = status;
  return nextServiceDistance === undefined ? undefined : odometer + nextServiceDistance;
}
