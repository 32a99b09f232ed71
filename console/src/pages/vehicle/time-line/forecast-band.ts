import { addDays, daysBetween } from '../../../formats/days.ts';

export type Reading = { day: string; odometer: number };
/** The days between which an odometer is reached; without an end where the vehicle may stand. */
export type Band = { from: string; to?: string };

const periodDays = 30;
const leastDays = 7;

/** When an odometer is reached at the pace of the fastest and of the slowest of the last three months. */
export function forecastBand(
  readings: readonly Reading[],
  dueOdometer: number,
  today: string,
): Band | undefined {
  const odometer = readings.at(-1)?.odometer;
  if (odometer === undefined || dueOdometer <= odometer) return undefined;
  const paces = [0, 1, 2]
    .map((period) => paceOf(readings, today, period))
    .filter((pace) => pace !== undefined);
  const fastest = Math.max(...paces);
  const slowest = Math.min(...paces);
  if (paces.length < 2 || fastest <= 0) return undefined;
  const after = (pace: number) => addDays(today, Math.ceil((dueOdometer - odometer) / pace));
  return { from: after(fastest), ...(slowest > 0 && { to: after(slowest) }) };
}

/** The km of a day in a period before today; undefined where too few days were measured. */
function paceOf(readings: readonly Reading[], today: string, period: number): number | undefined {
  const last = addDays(today, -period * periodDays);
  const first = addDays(last, -periodDays);
  const within = readings.filter(({ day }) => day >= first && day <= last);
  const [begin, end] = [within[0], within.at(-1)];
  if (!begin || !end) return undefined;
  const days = daysBetween(begin.day, end.day);
  return days < leastDays ? undefined : (end.odometer - begin.odometer) / days;
}
