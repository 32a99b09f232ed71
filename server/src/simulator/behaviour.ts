import type { Random } from '../platform/random/random.ts';
import type { Car } from './car.ts';
import { steady, tapering } from './charge-curve.ts';
import { charge, drive, type Phase, park, rangeKm, refuel, type State } from './phase.ts';
import { routeFrom } from './route.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** What a vehicle did when the simulation took it over. */
export type Beginning = 'driving' | 'charging' | 'plugged in' | 'parked';

/** Some phases, one after the other, and the state in which they leave the vehicle. */
type Phases = Generator<Phase, State, void>;

/** The life of a vehicle from a moment on, without an end: each phase begins where the one before ended. */
export function* life(
  car: Car,
  start: State,
  beginning: Beginning,
  random: Random,
): Generator<Phase, never, void> {
  let state = yield* asItWas(car, start, beginning, random);
  for (;;) {
    const route = trip(car, state, random);
    if (route) {
      state = yield* live(drive(car, state, route, random.between(24, 46)));
      state = yield* live(open(state));
    }
    const departure = nextDeparture(state.time, random);
    const overnight = departure - state.time > 4 * HOUR_MS;
    if (!route || isLow(car, state)) {
      state = yield* fillUp(car, state, random);
    } else if (random.chance(overnight ? 0.75 : 0.08)) {
      state = yield* topUp(car, state, departure, overnight, random);
    }
    if (state.time < departure) state = yield* live(park(state, departure));
    state = yield* live(open(state));
  }
}

function* live(phase: Phase): Phases {
  yield phase;
  return phase.at(phase.to);
}

/** Somebody gets in or out. */
function open(state: State): Phase {
  return park(state, state.time + MINUTE_MS, { doorsClosed: false, locked: false });
}

function* asItWas(car: Car, start: State, beginning: Beginning, random: Random): Phases {
  if (beginning === 'driving') return start;
  const pluggedIn = beginning !== 'parked';
  const state = beginning === 'charging' ? yield* live(atWallbox(car, start, random)) : start;
  const until = Math.ceil(state.time + random.between(1, 60) * MINUTE_MS);
  return yield* live(park(state, until, { pluggedIn }));
}

/** Mostly a few km, now and then across the town and back. */
function trip(car: Car, state: State, random: Random) {
  const wanted = random.chance(0.2) ? random.between(15, 45) : random.between(3, 14);
  return routeFrom(state.place, car.streets, wanted, rangeKm(car, state) * 0.85, random);
}

/** Soon by day; the next morning in the evening, later at the weekend. */
function nextDeparture(now: number, random: Random): number {
  const soon = now + random.between(15, 130) * MINUTE_MS;
  const midnight = Math.floor(now / DAY_MS) * DAY_MS;
  const [opens, closes] = [midnight + 5.5 * HOUR_MS, midnight + 19.5 * HOUR_MS];
  if (soon > opens && soon < closes) return Math.ceil(soon);
  // Some are needed at night, too.
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

/** What it cannot go on without: a full tank, or a fast charger. */
function* fillUp({ battery, tank }: Car, start: State, random: Random): Phases {
  if (tank) {
    const until = start.time + random.integer(4, 8) * MINUTE_MS;
    return yield* live(refuel(start, until, tank.litres));
  }
  if (!battery) return start;
  const target = random.between(0.78, 0.9) * battery.kwh;
  const curve = tapering(start.batteryKwh, battery.dcKw * random.between(0.6, 1), battery.kwh);
  const until = Math.ceil(start.time + curve.msUntil(target));
  const charged = yield* live(charge(start, curve, until));
  return yield* live(park(charged, charged.time + 2 * MINUTE_MS, { pluggedIn: true }));
}

/** What is nice to have: charged where it stands anyway. */
function* topUp(
  car: Car,
  start: State,
  departure: number,
  overnight: boolean,
  random: Random,
): Phases {
  const { battery } = car;
  if (!battery || start.batteryKwh > 0.75 * battery.kwh) return start;
  let state = yield* live(park(start, start.time + 2 * MINUTE_MS, { pluggedIn: true }));
  state = overnight
    ? yield* live(atWallbox(car, state, random))
    : yield* fromTheSun(battery, state, departure, random);
  const unplugged = departure - 5 * MINUTE_MS;
  return state.time < unplugged ? yield* live(park(state, unplugged, { pluggedIn: true })) : state;
}

function atWallbox({ battery }: Car, state: State, random: Random): Phase {
  const { kwh = 0, acKw = 11 } = battery ?? {};
  const limit = random.pick([0.8, 0.8, 0.9, 1]) * kwh;
  const target = Math.max(limit, Math.min(kwh, state.batteryKwh + 0.05 * kwh));
  const curve = steady(state.batteryKwh, acKw);
  return charge(state, curve, Math.ceil(state.time + curve.msUntil(target)));
}

/** Little power, which a cloud takes away for some minutes. */
function* fromTheSun(
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
    state = yield* live(charge(state, curve, Math.ceil(Math.min(cloudy, full))));
    const sunny = state.time + random.integer(2, 10) * MINUTE_MS;
    if (state.time >= full || sunny > departure - 30 * MINUTE_MS) return state;
    state = yield* live(park(state, sunny, { pluggedIn: true, paused: true }));
  }
}
