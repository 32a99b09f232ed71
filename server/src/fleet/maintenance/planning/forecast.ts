import { dateOf } from '../../../platform/time/instant.ts';
import type { Due } from './due.ts';

/** The last reading of a vehicle's odometer, and its average. */
export type Mileage = { odometer: number; readOn?: string; kmPerDay: number };

export type DueForecast = {
  status: 'planned' | 'due_soon' | 'overdue';
  /** The day on which the vehicle will reach dueOdometer. */
  forecastDate?: string;
  /** The earlier of dueDate and forecastDate. */
  soonest?: string;
};

type Reading = { time: number; odometer: number };

/** How long before it is due something is due soon. */
type ReminderWindow = { reminderDays?: number | undefined; reminderDistance?: number | undefined };

export const defaultReminderDays = 30;
export const defaultReminderDistance = 1_500;
/** The distance after which a forecast is renewed. */
const forecastRefreshKm = 20;
const defaultKmPerDay = 40;
const dayMs = 86_400_000;
const [firstDay, lastDay] = ['0001-01-01', '9999-12-31'];

/** From the first and the last reading of a period; less than a week apart, they are not representative. */
export function averageKmPerDay(first?: Reading, last?: Reading): number {
  if (!first || !last || last.time - first.time < 7 * dayMs) return defaultKmPerDay;
  const days = (last.time - first.time) / dayMs;
  return Math.max(0, (last.odometer - first.odometer) / days);
}

export function forecastDue(
  due: Due,
  mileage: Mileage | undefined,
  today: string,
  window: ReminderWindow = {},
): DueForecast {
  const { dueDate, dueOdometer } = due;
  const kmLeft = mileage && dueOdometer !== undefined ? dueOdometer - mileage.odometer : undefined;
  const forecastDate =
    mileage && kmLeft !== undefined ? forecastOf(today, kmLeft, mileage) : undefined;
  const soonest = [dueDate, forecastDate].filter((date) => date !== undefined).sort()[0];
  return {
    status: statusOf(window, today, soonest, kmLeft),
    ...(forecastDate !== undefined && { forecastDate }),
    ...(soonest !== undefined && { soonest }),
  };
}

function statusOf(
  {
    reminderDays = defaultReminderDays,
    reminderDistance = defaultReminderDistance,
  }: ReminderWindow,
  today: string,
  soonest = lastDay,
  kmLeft = Number.POSITIVE_INFINITY,
): DueForecast['status'] {
  if (soonest < today || kmLeft < 0) return 'overdue';
  const isSoon = daysFrom(today, soonest) <= reminderDays || kmLeft <= reminderDistance;
  return isSoon ? 'due_soon' : 'planned';
}

/** Without mileage there is no forecast, except for what is due already. */
function forecastOf(
  today: string,
  kmLeft: number,
  { kmPerDay, readOn = today }: Mileage,
): string | undefined {
  if (kmPerDay === 0) return kmLeft <= 0 ? today : undefined;
  const projectedKmLeft = kmLeft - kmPerDay * Math.max(0, daysFrom(readOn, today));
  return addDays(today, Math.ceil(projectedKmLeft / kmPerDay));
}

/**
 * The odometer at which forecasts have to be renewed: at the first reading, where a status changes, and every
 * few km. None when nothing is due by distance.
 */
export function replanAtOdometer(
  dues: readonly (ReminderWindow & { dueOdometer: number })[],
  odometer: number | undefined,
): number | undefined {
  if (dues.length === 0) return undefined;
  if (odometer === undefined) return 0;
  const thresholds = dues.flatMap(
    ({ dueOdometer: due, reminderDistance = defaultReminderDistance }) => [
      ...(due - reminderDistance > odometer ? [due - reminderDistance] : []),
      ...(due >= odometer ? [due] : []),
    ],
  );
  return thresholds.reduce((first, next) => Math.min(first, next), odometer + forecastRefreshKm);
}

function daysFrom(from: string, to: string): number {
  return (Date.parse(to) - Date.parse(from)) / dayMs;
}

/** Bounded to the years 1 to 9999. */
function addDays(date: string, days: number): string {
  const bounded = Math.min(Math.max(days, daysFrom(date, firstDay)), daysFrom(date, lastDay));
  return dateOf(new Date(Date.parse(date) + bounded * dayMs));
}
