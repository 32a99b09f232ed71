import { addDays } from '../../formats/days.ts';

/** How many were new on each of the last days, the oldest first: a week, and the one before it. */
export type Trend = { days: number[]; week: number; before: number };

export const weekDays = 7;

export function trend(happened: readonly string[], from: string): Trend {
  const days = Array.from({ length: 2 * weekDays }, (_, index) => {
    const day = addDays(from, index);
    return happened.filter((one) => one === day).length;
  });
  const sum = (some: readonly number[]) => some.reduce((all, one) => all + one, 0);
  return { days, week: sum(days.slice(weekDays)), before: sum(days.slice(0, weekDays)) };
}
