/** In SQL: the last day of the first of the named months that is not over on a day, as in `planning/calendar.ts`. */
export function calendarDue(months: string, day: string): string {
  return `(
    select min(month.last_day) from unnest(${months}) named, generate_series(0, 1) years,
      lateral (
        select (make_date(extract(year from ${day})::integer + years, named, 1) + interval '1 month - 1 day')::date
          as last_day
      ) month
    where month.last_day >= ${day}
  )`;
}

/** In SQL: the first day from which on it may be due again after it was done; null if it never was. */
export function afterCalendarDone(months: string, doneOn: string): string {
  const named = (monthsLater: number) =>
    `extract(month from ${doneOn} + interval '${monthsLater} months') = any(${months})`;
  return `(date_trunc('month', ${doneOn}::timestamp)
    + case when not ${named(0)} and ${named(1)} then interval '2 months' else interval '1 month' end)::date`;
}
