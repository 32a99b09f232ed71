import { addMonths } from '../../../platform/time/months.ts';
import { firstCalendarDue, nextCalendarDue } from './calendar.ts';

/** Due on a day, at an odometer, or at whichever comes first. */
export type Due = { dueDate?: string; dueOdometer?: number };

type Interval = {
  intervalMonths?: number;
  intervalDistance?: number;
  calendarMonths?: readonly number[];
};
type LastDone = { lastDoneDate?: string; lastDoneOdometer?: number };

/** When work with an interval is due again, after it was done on a day and at an odometer. */
export function dueAfter(
  { intervalMonths, intervalDistance, calendarMonths }: Interval,
  date: string,
  odometer: number,
): Due {
  return {
    ...(intervalMonths !== undefined && { dueDate: addMonths(date, intervalMonths) }),
    ...(calendarMonths !== undefined && { dueDate: nextCalendarDue(calendarMonths, date) }),
    ...(intervalDistance !== undefined && { dueOdometer: odometer + intervalDistance }),
  };
}

/** Adds when it is due by its intervals, unless the request says so: from the last time, or from now. */
export function withDefaultDue<Request extends Due & Interval & LastDone>(
  request: Request,
  odometer: number | undefined,
  today: string,
): Request {
  const { lastDoneDate, lastDoneOdometer = odometer ?? 0, calendarMonths } = request;
  const isFirst = calendarMonths !== undefined && lastDoneDate === undefined;
  return {
    ...dueAfter(request, lastDoneDate ?? today, lastDoneOdometer),
    ...(isFirst && { dueDate: firstCalendarDue(calendarMonths, today) }),
    ...request,
  };
}
