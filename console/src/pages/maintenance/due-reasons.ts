import type { Inspection, MaintenanceReport } from '@motorpool/client';
import type { Formats } from '../../formats/formats.ts';
import type { Texts } from '../../texts/texts.ts';
import { isForecast } from './maintenance-search.ts';

type Words = { texts: Texts; formats: Formats };

/** Why it is due on the day that counts, in one line. */
export function shortReason(report: MaintenanceReport, { texts, formats }: Words): string {
  const { reasons } = texts.maintenance;
  const { source, dueOdometer, intervalMonths, lastDoneDate, calendarMonths } = report;
  if (source === 'inspection') return reasons.inspection;
  if (isForecast(report) && dueOdometer !== undefined)
    return reasons.reaches(formats.kilometres(dueOdometer));
  if (source === 'vehicle') return reasons.vehicle;
  if (calendarMonths?.length) return reasons.calendar(monthNames(calendarMonths, formats));
  if (intervalMonths !== undefined && lastDoneDate)
    return reasons.after(intervalMonths, formats.date(lastDoneDate));
  if (intervalMonths !== undefined) return reasons.everyMonths(intervalMonths);
  if (report.dueDate) return source === 'manual' ? reasons.byHand : reasons.schedule;
  return dueOdometer === undefined ? '' : reasons.atOdometer(formats.kilometres(dueOdometer));
}

/** All that decides on the days of a report, a sentence for each. */
export function dueReasons(
  report: MaintenanceReport,
  { texts, formats }: Words,
  inspection?: Inspection,
): string[] {
  const { reasons, sources } = texts.maintenance;
  const { dueOdometer, forecastDate, intervalMonths, intervalDistance } = report;
  const { lastDoneDate, lastDoneOdometer, calendarMonths } = report;
  const lines = [sources[report.source]];
  if (intervalMonths !== undefined)
    lines.push(
      lastDoneDate
        ? reasons.after(intervalMonths, formats.date(lastDoneDate))
        : reasons.everyMonths(intervalMonths),
    );
  if (calendarMonths?.length) lines.push(reasons.calendar(monthNames(calendarMonths, formats)));
  if (intervalDistance !== undefined)
    lines.push(
      lastDoneOdometer === undefined
        ? reasons.everyDistance(formats.kilometres(intervalDistance))
        : reasons.afterDistance(
            formats.kilometres(intervalDistance),
            formats.kilometres(lastDoneOdometer),
          ),
    );
  if (dueOdometer !== undefined)
    lines.push(
      forecastDate
        ? reasons.forecast(formats.kilometres(dueOdometer), formats.date(forecastDate))
        : reasons.noForecast(formats.kilometres(dueOdometer)),
    );
  if (report.source === 'inspection' && inspection) {
    const { confidence, rule, basis, reason } = inspection;
    if (rule) lines.push(reasons.rule(countryName(rule.country, formats), rule.intervalMonths));
    lines.push(
      basis.lastInspectionDate
        ? reasons.lastInspection(formats.date(basis.lastInspectionDate))
        : basis.firstRegistrationDate
          ? reasons.registered(formats.date(basis.firstRegistrationDate))
          : reasons.noBasis,
    );
    if (confidence) lines.push(reasons.confidence[confidence]);
    if (reason) lines.push(reason);
  }
  return lines;
}

function monthNames(months: readonly number[], formats: Formats): string {
  const names = months.map((month) => formats.longMonth(`2001-${String(month).padStart(2, '0')}`));
  return new Intl.ListFormat(formats.locale).format(names);
}

/** The name of a country; a region of one keeps its code. */
function countryName(code: string, { locale }: Formats): string {
  return /^[A-Z]{2}$/.test(code)
    ? (new Intl.DisplayNames(locale, { type: 'region' }).of(code) ?? code)
    : code;
}
