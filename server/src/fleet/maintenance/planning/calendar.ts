import { addMonths, endOfMonth, startOfMonth } from '../../../platform/time/months.ts';

/** The last day of the first of the named months (1 to 12) that is not over on a day. */
export function firstCalendarDue(months: readonly number[], day: string): string {
  let month = startOfMonth(day);
  while (!months.includes(monthOf(month))) month = addMonths(month, 1);
  return endOfMonth(month);
}

/** When it is due again. What is done in the month before a named one is done for that one. */
export function nextCalendarDue(months: readonly number[], doneOn: string): string {
  const month = startOfMonth(doneOn);
  const isEarly = !months.includes(monthOf(month)) && months.includes(monthOf(addMonths(month, 1)));
  return firstCalendarDue(months, addMonths(month, isEarly ? 2 : 1));
}

function monthOf(date: string): number {
  return Number(date.slice(5, 7));
}
