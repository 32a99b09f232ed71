import type { Random } from '../platform/random/random.ts';
import type { Car } from './car.ts';
import { steady, tapering } from './charge-curve.ts';
import { charge, drive, type Phase, park, rangeKm, refuel, type State } from './phase.ts';
import { routeFrom } from './route.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** What a vehicle was doing when the simulation started. */
export type InitialActivity = 'driving' | 'charging' | 'plugged in' | 'parked';

/** Consecutive phases; returns the state at their end. */
type Phases = Generator<Phase, State, void>;

/** An endless sequence of phases, each of which starts in the final state of the previous one. */
export function* simulatePhases(
  car: Car,
  start: State,
  initialActivity: InitialActivity,
  random: Random,
): Generator<Phase, never, void> {
  let state = yield* continueActivity(car, start, initialActivity, random);
  for (;;) {
    const route = planTrip(car, state, random);
    if (route) {
      state = yield* runPhase(drive(car, state, route, random.between(24, 46)));
      state = yield* runPhase(openDoors(state));
    }
    const departure = nextDeparture(state.time, random);
    const overnight = departure - state.time > 4 * HOUR_MS;
    if (!route || isLow(car, state)) {
      state = yield* refill(car, state, random);
    } else if (random.chance(overnight ? 0.75 : 0.08)) {
      state = yield* topUp(car, state, departure, overnight, random);
    }
    if (state.time < departure) state = yield* runPhase(park(state, departure));
    state = yield* runPhase(openDoors(state));
  }
}

function* runPhase(phase: Phase): Phases {
  yield phase;
  return phase.at(phase.to);
}

/** The driver gets in or out. */
function openDoors(state: State): Phase {
  return park(state, state.time + MINUTE_MS, { doorsClosed: false, locked: false });
}

function* continueActivity(
  car: Car,
  start: State,
  activity: InitialActivity,
  random: Random,
): Phases {
  if (activity === 'driving') return start;
  const pluggedIn = activity !== 'parked';
  const state =
    activity === 'charging' ? yield* runPhase(chargeAtWallbox(car, start, random)) : start;
  const until = Math.ceil(state.time + random.between(1, 60) * MINUTE_MS);
  return yield* runPhase(park(state, until, { pluggedIn }));
}

/** Mostly a short trip, sometimes across the town and back. */
function planTrip(car: Car, state: State, random: Random) {
  const targetKm = random.chance(0.2) ? random.between(15, 45) : random.between(3, 14);
  return routeFrom(state.place, car.streets, targetKm, rangeKm(car, state) * 0.85, random);
}

/** Soon during the day; in the evening, the next morning, which is later at the weekend. */
function nextDeparture(now: number, random: Random): number {
  const soon = now + random.between(15, 130) * MINUTE_MS;
  const midnight = Math.floor(now / DAY_MS) * DAY_MS;
  const [opens, closes] = [midnight + 5.5 * HOUR_MS, midnight + 19.5 * HOUR_MS];
  if (soon > opens && soon < closes) return Math.ceil(soon);
  // Some vehicles also drive at night.
  if (random.chance(0.3)) return Math.ceil(now + random.between(1, 3.5) * HOUR_MS);
  const morning = now < opens ? opens : opens + DAY_MS;
  const weekend = [0, 6].includes(new Date(morning).getUTCDay());
  return Math.ceil(morning + random.between(0, weekend ? 7 : 3.5) * HOUR_MS);
}

const lowShare = 0.22;

function isLow({ battery, tank }: Car, { batteryKwh, litres }: State): boolean {
  if (tank) return litres < lowShare * tank.litres;
  return battery !== undefined && batteryKwh < lowShare * battery.kwh;
}

/** Refuels, or charges as fast as it can, to be able to go on. */
function* refill(car: Car, start: State, random: Random): Phases {
  const { battery, tank } = car;
  if (tank) {
    const until = start.time + random.integer(4, 8) * MINUTE_MS;
    return yield* runPhase(refuel(start, until, tank.litres));
  }
  if (!battery) return start;
  const charged = yield* runPhase(
    battery.dcKw === undefined
      ? chargeAtWallbox(car, start, random)
      : chargeFast(battery.kwh, battery.dcKw, start, random),
  );
  return yield* runPhase(park(charged, charged.time + 2 * MINUTE_MS, { pluggedIn: true }));
}

function chargeFast(kwh: number, dcKw: number, start: State, random: Random): Phase {
  const target = random.between(0.78, 0.9) * kwh;
  const curve = tapering(start.batteryKwh, dcKw * random.between(0.6, 1), kwh);
  return charge(start, curve, Math.ceil(start.time + curve.msUntil(target)));
}

/** Charges where the vehicle is parked anyway. */
function* topUp(
  car: Car,
  start: State,
  departure: number,
  overnight: boolean,
  random: Random,
): Phases {
  const { battery } = car;
  if (!battery || start.batteryKwh > 0.75 * battery.kwh) return start;
  let state = yield* runPhase(park(start, start.time + 2 * MINUTE_MS, { pluggedIn: true }));
  state = overnight
    ? yield* runPhase(chargeAtWallbox(car, state, random))
    : yield* chargeFromSolar(battery, state, departure, random);
  const unplugged = departure - 5 * MINUTE_MS;
  return state.time < unplugged
    ? yield* runPhase(park(state, unplugged, { pluggedIn: true }))
    : state;
}

function chargeAtWallbox({ battery }: Car, state: State, random: Random): Phase {
  const { kwh = 0, acKw = 11 } = battery ?? {};
  const limit = random.pick([0.8, 0.8, 0.9, 1]) * kwh;
  const target = Math.max(limit, Math.min(kwh, state.batteryKwh + 0.05 * kwh));
  const curve = steady(state.batteryKwh, acKw);
  return charge(state, curve, Math.ceil(state.time + curve.msUntil(target)));
}

/** Little power, with interruptions by clouds. */
function* chargeFromSolar(
  { kwh, acKw }: NonNullable<Car['battery']>,
  start: State,
  departure: number,
  random: Random,
): Phases {
  let state = start;
  for (;;) {
    const curve = steady(state.batteryKwh, random.between(0.3, 0.6) * acKw);
    const cloudy = state.time + random.between(12, 45) * MINUTE_MS;
    const full = state.time + curve.msUntil(0.98 * kwh);
    state = yield* runPhase(charge(state, curve, Math.ceil(Math.min(cloudy, full))));
    const sunny = state.time + random.integer(2, 10) * MINUTE_MS;
    if (state.time >= full || sunny > departure - 30 * MINUTE_MS) return state;
    state = yield* runPhase(park(state, sunny, { pluggedIn: true, paused: true }));
  }
}
