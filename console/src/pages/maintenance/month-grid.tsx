import type { MaintenanceReport } from '@motorpool/client';
import { Link } from '@tanstack/react-router';
import { Icon } from '../../icons/icon.tsx';
import { useFormats, useTexts } from '../../texts/texts-provider.tsx';
import { maintenanceLooks } from '../../values/maintenance-state.tsx';
import { Plate } from '../../values/plate.tsx';
import classes from './maintenance-calendar.module.css';
import { isForecast, type MaintenanceSearch } from './maintenance-search.ts';
import { firstWeekday, weeksOf } from './weeks.ts';

const maxShown = 3;

type Props = {
  month: string;
  today: string;
  byDay: ReadonlyMap<string, MaintenanceReport[]>;
  plateById(vehicleId: string): string | undefined;
  isStale: boolean;
  search: MaintenanceSearch;
};

/** The weeks of a month; what is forecast has a dashed edge. */
export function MonthGrid({ month, today, byDay, plateById, isStale, search }: Props) {
  const { maintenance: texts } = useTexts();
  const formats = useFormats();
  const weeks = weeksOf(month, firstWeekday(formats.locale));
  const weekday = new Intl.DateTimeFormat(formats.locale, { weekday: 'short' });
  return (
    <table className={classes.grid} aria-busy={isStale || undefined}>
      <thead>
        <tr>
          {weeks[0]?.map((day) => (
            <th key={day} scope="col">
              {weekday.format(new Date(`${day}T12:00:00`))}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {weeks.map((week) => (
          <tr key={week[0]}>
            {week.map((day) => {
              const reports = byDay.get(day) ?? [];
              const shown = reports.length === maxShown + 1 ? reports : reports.slice(0, maxShown);
              return (
                <td
                  key={day}
                  data-other={!day.startsWith(month) || undefined}
                  data-today={day === today || undefined}
                >
                  <time dateTime={day} title={formats.date(day)}>
                    {Number(day.slice(8))}
                  </time>
                  {shown.map((report) => (
                    <Entry
                      key={report.id}
                      report={report}
                      plate={plateById(report.vehicleId)}
                      search={search}
                    />
                  ))}
                  {reports.length > shown.length && (
                    <Link to="/maintenance" search={{ ...search, day }} className={classes.more}>
                      {texts.more(reports.length - shown.length)}
                    </Link>
                  )}
                </td>
              );
            })}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

type EntryProps = {
  report: MaintenanceReport;
  plate: string | undefined;
  search: MaintenanceSearch;
};

function Entry({ report, plate, search }: EntryProps) {
  const { maintenance: texts, maintenanceStates } = useTexts();
  const { tone, icon } = maintenanceLooks[report.status];
  const forecast = isForecast(report);
  const words = [
    maintenanceStates[report.status],
    forecast && texts.forecastMark,
    plate,
    report.title,
  ];
  return (
    <Link
      to="/maintenance"
      search={{ ...search, report: report.id, vehicle: report.vehicleId }}
      className={classes.entry}
      data-state={tone}
      data-forecast={forecast || undefined}
      title={words.filter(Boolean).join(' · ')}
    >
      <Icon name={icon} size={13} />
      <strong>
        <Plate plate={plate} />
      </strong>
      <span>{report.title}</span>
    </Link>
  );
}
