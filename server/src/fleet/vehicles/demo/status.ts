import { type Random, randomFor } from '../../../platform/random/random.ts';
import { DAY_MS, HOUR_MS } from '../../../platform/time/duration.ts';
import type { Vehicle } from '../vehicle.ts';
import { isDark } from './daylight.ts';
import type { Model } from './models.ts';
import { roles } from './roles.ts';

type Status = Vehicle['status'];

type Activity = 'driving' | 'parked' | 'broken down' | 'silent' | 'retired';

const MINUTE_MS = 60_000;

/** Apart from its services, which follow from how far it has driven. */
export function status(
  id: string,
  model: Model,
  registeredAt: number,
  active: boolean,
  standstill: number | undefined,
  now: Date,
): { status: Status; yearlyKm: number } {
  const random = randomFor(`${id}/status`);
  const drawn = activityOf(random);
  const activity = !active ? 'retired' : standstill === undefined ? drawn : 'broken down';
  const driving = activity === 'driving';
  const lastUpdated = now.getTime() - silenceMs(activity, random);

  const yearlyKm = random.between(...roles[model.role].yearlyKm);
  const ageDays =
    Math.max(0, Math.min(lastUpdated, standstill ?? lastUpdated) - registeredAt) / DAY_MS;

  return {
    yearlyKm,
    status: {
      lastUpdated: new Date(lastUpdated).toISOString(),
      ...access(driving, random),
      engineActive: driving,
      headlightsActive: driving && isDark(now),
      immobilizerActive: !driving,
      odometer: Math.round(random.between(5, 30) + (ageDays / 365.25) * yearlyKm),
      ...energy(model, activity, randomFor(`${id}/energy`)),
      ...tyrePressures(model, randomFor(`${id}/tyres`)),
    },
  };
}

function activityOf(random: Random): Activity {
  const draw = random.next();
  if (draw < 0.06) {
    return 'silent';
  }
  return draw < 0.2 ? 'driving' : 'parked';
}

function silenceMs(activity: Activity, random: Random): number {
  const ranges = {
    driving: [1_000, MINUTE_MS],
    parked: [5_000, 10 * MINUTE_MS],
    'broken down': [5_000, 10 * MINUTE_MS],
    silent: [6.2 * HOUR_MS, 9 * DAY_MS],
    retired: [20 * DAY_MS, 300 * DAY_MS],
  } as const;
  const [min, max] = ranges[activity];
  // Evenly over the orders of magnitude: more short gaps than long ones.
  return Math.round(min * (max / min) ** random.next());
}

/** A parked vehicle left open is rare, but there for the manager to find. */
function access(driving: boolean, random: Random): Status {
  return {
    isLocked: !driving && !random.chance(0.015),
    windowsClosed: !random.chance(driving ? 0.1 : 0.02),
    doorsClosed: driving || !random.chance(0.008),
  };
}

function energy(model: Model, activity: Activity, random: Random): Status {
  const hasPlug = model.batteryKwh !== undefined;
  const isPluggedIn = hasPlug && activity === 'parked' && random.chance(0.4);
  const isCharging = isPluggedIn && random.chance(0.65);
  const fuelLevel = levelOf(model, isPluggedIn, isCharging, random);
  const capacity = (model.drive === 'battery' ? model.batteryKwh : model.tankLitres) ?? 0;

  return {
    fuelLevel,
    reach: Math.round((fuelLevel * capacity) / model.per100Km),
    ...(hasPlug && { isCharging, isPluggedIn }),
  };
}

/** The level of a plug-in hybrid is that of its tank, so charging tells nothing about it. */
function levelOf(model: Model, isPluggedIn: boolean, isCharging: boolean, random: Random): number {
  if (model.drive !== 'battery') {
    return random.chance(0.04) ? random.integer(4, 12) : random.integer(15, 99);
  }
  if (isCharging) {
    return random.integer(14, 94);
  }
  if (isPluggedIn) {
    return random.pick([80, 80, 90, 100]);
  }
  return random.chance(0.05) ? random.integer(5, 14) : random.integer(20, 96);
}

function tyrePressures(model: Model, random: Random): Status {
  const [front, rear] = roles[model.role].tyres;
  const batteryWeight = model.drive === 'battery' && roles[model.role].kind === 'car' ? 0.25 : 0;
  const lossSinceLastCheck = random.between(0, 0.12);
  const low = random.chance(0.03) ? random.integer(0, 3) : undefined;

  const pressure = (wheel: number, nominal: number) => {
    const bar = nominal + batteryWeight - lossSinceLastCheck + random.between(-0.05, 0.05);
    return Math.round((wheel === low ? bar - 0.5 : bar) * 20) / 20;
  };
  return {
    tirePressureFrontLeft: pressure(0, front),
    tirePressureFrontRight: pressure(1, front),
    tirePressureRearLeft: pressure(2, rear),
    tirePressureRearRight: pressure(3, rear),
  };
}
