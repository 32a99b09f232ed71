import { addDays, addMonths } from '../../formats/days.ts';

/** The first day of the week in a region: 1 for Monday, 7 for Sunday. */
export function firstWeekday(locale: string): number {
  const region = new Intl.Locale(locale) as Intl.Locale & {
    getWeekInfo?(): { firstDay: number };
    weekInfo?: { firstDay: number };
  };
  return region.getWeekInfo?.().firstDay ?? region.weekInfo?.firstDay ?? 1;
}

/** The days of a month by weeks, with those of its neighbours that fill the first and the last. */
export function weeksOf(month: string, firstDay: number): string[][] {
  const first = `${month}-01`;
  const last = addDays(`${addMonths(month, 1)}-01`, -1);
  const weekday = (day: string) => new Date(`${day}T12:00:00`).getDay();
  let start = addDays(first, -((weekday(first) - firstDay + 14) % 7));
  const weeks: string[][] = [];
  while (start <= last) {
    const begin = start;
    weeks.push(Array.from({ length: 7 }, (_, index) => addDays(begin, index)));
    start = addDays(start, 7);
  }
  return weeks;
}
