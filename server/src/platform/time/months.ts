/** Calendar dates (`2026-11-15`) and months, without a clock or a zone. */

/** The same day in a later month, or the last day of a shorter one. */
export function addMonths(date: string, months: number): string {
  const [year, month, day] = partsOf(date);
  const index = year * 12 + month - 1 + months;
  const [newYear, newMonth] = [Math.floor(index / 12), (index % 12) + 1];
  return dateOf(newYear, newMonth, Math.min(day, daysOf(newYear, newMonth)));
}

export function startOfMonth(date: string): string {
  const [year, month] = partsOf(date);
  return dateOf(year, month, 1);
}

export function endOfMonth(date: string): string {
  const [year, month] = partsOf(date);
  return dateOf(year, month, daysOf(year, month));
}

export function nextDay(date: string): string {
  const [year, month, day] = partsOf(date);
  return day < daysOf(year, month)
    ? dateOf(year, month, day + 1)
    : startOfMonth(addMonths(date, 1));
}

const startOfCalendar = '0001-01-01';

/** The first day of the twelve months that end with that of a date. */
export function startOfTwelveMonths(date: string): string {
  const start = addMonths(startOfMonth(date), -11);
  return start < startOfCalendar ? startOfCalendar : start;
}

/** The number of whole months between two dates. */
export function monthsBetween(from: string, to: string): number {
  const [fromYear, fromMonth] = partsOf(from);
  const [toYear, toMonth] = partsOf(to);
  const months = (toYear - fromYear) * 12 + toMonth - fromMonth;
  return addMonths(from, months) > to ? months - 1 : months;
}

function partsOf(date: string): [year: number, month: number, day: number] {
  return date.split('-').map(Number) as [number, number, number];
}

function dateOf(year: number, month: number, day: number): string {
  const [paddedMonth, paddedDay] = [month, day].map((part) => String(part).padStart(2, '0'));
  return `${String(year).padStart(4, '0')}-${paddedMonth}-${paddedDay}`;
}

function daysOf(year: number, month: number): number {
  if (month !== 2) return [4, 6, 9, 11].includes(month) ? 30 : 31;
  return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
}
