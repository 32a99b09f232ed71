import { dateOf } from '../../platform/time/instant.ts';

/** What follows from when something is due, from how far its vehicle has run, and from today. */

export type Due = { dueDate?: string; dueOdometer?: number };

/** How far a vehicle has run, by the last reading of its odometer. */
export type Mileage = { odometer: number; readOn?: string; kmADay: number };

export type DueForecast = {
  status: 'planned' | 'due_soon' | 'overdue';
  /** The day on which the odometer will reach what it is due at. */
  forecastDate?: string;
  /** The earlier of the day it is due on and the forecast. */
  soonest?: string;
};

type Reading = { time: number; odometer: number };

const soonDays = 30;
const soonKm = 1_500;
/** A forecast is made anew each time the vehicle has run so far. */
const forecastKm = 20;
const defaultKmADay = 40;
const dayMs = 86_400_000;
const [firstDay, lastDay] = ['0001-01-01', '9999-12-31'];

/** From the first and the last reading of some weeks; a week apart at least, or they say little. */
export function averageKmADay(first?: Reading, last?: Reading): number {
  if (!first || !last || last.time - first.time < 7 * dayMs) return defaultKmADay;
  const days = (last.time - first.time) / dayMs;
  return Math.max(0, (last.odometer - first.odometer) / days);
}

export function forecastDue(due: Due, mileage: Mileage | undefined, today: string): DueForecast {
  const { dueDate, dueOdometer } = due;
  const kmLeft = mileage && dueOdometer !== undefined ? dueOdometer - mileage.odometer : undefined;
  const forecastDate =
    mileage && kmLeft !== undefined ? forecastOf(today, kmLeft, mileage) : undefined;
  const soonest = [dueDate, forecastDate].filter((date) => date !== undefined).sort()[0];
  return {
    status: statusOf(today, soonest, kmLeft),
    ...(forecastDate !== undefined && { forecastDate }),
    ...(soonest !== undefined && { soonest }),
  };
}

function statusOf(
  today: string,
  soonest = lastDay,
  kmLeft = Number.POSITIVE_INFINITY,
): DueForecast['status'] {
  if (soonest < today || kmLeft < 0) return 'overdue';
  return daysFrom(today, soonest) <= soonDays || kmLeft <= soonKm ? 'due_soon' : 'planned';
}

/** A vehicle that stands still reaches nothing any more, but it may have reached it already. */
function forecastOf(
  today: string,
  kmLeft: number,
  { kmADay, readOn = today }: Mileage,
): string | undefined {
  if (kmADay === 0) return kmLeft <= 0 ? today : undefined;
  const projectedKmLeft = kmLeft - kmADay * Math.max(0, daysFrom(readOn, today));
  return addDays(today, Math.ceil(projectedKmLeft / kmADay));
}

/**
 * The odometer from which on the forecast is another: with the first reading at all, where something
 * becomes due soon or overdue, and now and then for the forecast. None where no distance matters.
 */
export function replanAtOdometer(
  dueOdometers: readonly number[],
  odometer: number | undefined,
): number | undefined {
  if (dueOdometers.length === 0) return undefined;
  if (odometer === undefined) return 0;
  const borders = dueOdometers.flatMap((due) => [
    ...(due - soonKm > odometer ? [due - soonKm] : []),
    ...(due >= odometer ? [due] : []),
  ]);
  return Math.min(odometer + forecastKm, ...borders);
}

function daysFrom(from: string, to: string): number {
  return (Date.parse(to) - Date.parse(from)) / dayMs;
}

/** Within the years that can be written. */
function addDays(date: string, days: number): string {
  const bounded = Math.min(Math.max(days, daysFrom(date, firstDay)), daysFrom(date, lastDay));
  return dateOf(new Date(Date.parse(date) + bounded * dayMs));
}
