import type { MaintenanceSchedule } from '@motorpool/client';
import { useLocalization } from '../../../texts/texts-provider.tsx';

/** When a schedule is due, in words. */
export function useIntervalText() {
  const { texts, formats } = useLocalization();
  const { schedules: words } = texts;
  const month = new Intl.DateTimeFormat(formats.locale, { month: 'short' });
  return ({ intervalMonths, intervalDistance, calendarMonths }: MaintenanceSchedule): string => {
    const parts = [
      intervalMonths !== undefined && words.everyMonths(intervalMonths),
      calendarMonths?.map((number) => month.format(new Date(2026, number - 1, 15))).join(', '),
      intervalDistance !== undefined && words.everyDistance(formats.kilometres(intervalDistance)),
    ];
    return parts.filter(Boolean).join(` ${words.or} `);
  };
}
