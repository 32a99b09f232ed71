import { ActionIcon, Button, Drawer, Group, Title } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import type { MaintenanceReport } from '@motorpool/client';
import { useQuery } from '@tanstack/react-query';
import { EmptyState } from '../../feedback/empty-state.tsx';
import { Problem } from '../../feedback/problem.tsx';
import { useVehicles } from '../../fleet/named-vehicles.ts';
import { addMonths, dayOf } from '../../formats/days.ts';
import { Icon } from '../../icons/icon.tsx';
import { AnchorLink } from '../../layout/anchor-link.tsx';
import { useFleet } from '../../session/connection.tsx';
import { isNarrowed } from '../../table/search-toolbar.tsx';
import { useFormats, useTexts } from '../../texts/texts-provider.tsx';
import classes from './maintenance-calendar.module.css';
import { type MaintenanceSearch, maintenanceFilters, soonestOf } from './maintenance-search.ts';
import { MonthGrid } from './month-grid.tsx';
import { plannedOfMonth } from './planned-reports.ts';
import { ReportRow } from './report-row.tsx';

type Props = {
  search: MaintenanceSearch;
  overdue: number | undefined;
  onChange(next: Partial<MaintenanceSearch>, replace?: boolean): void;
};

/** A month of the plan, each entry on the day that counts. */
export function MaintenanceCalendar({ search, overdue, onChange }: Props) {
  const { maintenance: texts, forms } = useTexts();
  const formats = useFormats();
  const fleet = useFleet();
  const isPhone = useMediaQuery('(max-width: 640px)', undefined, {
    getInitialValueInEffect: false,
  });
  const today = dayOf(new Date());
  const month = search.month ?? today.slice(0, 7);
  const { data, error, refetch, isPlaceholderData } = useQuery(
    plannedOfMonth(fleet, month, maintenanceFilters(search)),
  );
  const vehicles = useVehicles(data?.map(({ vehicleId }) => vehicleId) ?? []);
  const byDay = Map.groupBy(data ?? [], (report) => soonestOf(report) ?? '');
  const toMonth = (next: string) =>
    onChange({ month: next === today.slice(0, 7) ? undefined : next });
  const rows = (reports: readonly MaintenanceReport[]) => (
    <ul className={classes.agenda}>
      {reports.map((report) => (
        <li key={report.id}>
          <ReportRow report={report} vehicles={vehicles} />
        </li>
      ))}
    </ul>
  );
  return (
    <>
      <Group gap="xs" mb={12}>
        <ActionIcon onClick={() => toMonth(addMonths(month, -1))} aria-label={texts.previousMonth}>
          <Icon name="chevron-left" />
        </ActionIcon>
        <Title order={2} className={classes.month} aria-live="polite">
          {formats.month(month)}
        </Title>
        <ActionIcon onClick={() => toMonth(addMonths(month, 1))} aria-label={texts.nextMonth}>
          <Icon name="chevron-right" />
        </ActionIcon>
        <Button onClick={() => toMonth(today.slice(0, 7))} variant="default">
          {texts.today}
        </Button>
        {overdue !== undefined && overdue > 0 && search.status === undefined && (
          <AnchorLink to="/maintenance" search={{ status: 'overdue' }} className={classes.overdue}>
            <Icon name="circle-alert" size={16} />
            {texts.overdueBefore(overdue, formats.number(overdue))}
          </AnchorLink>
        )}
      </Group>
      {error && !data ? (
        <Problem error={error} onRetry={() => void refetch()} />
      ) : isPhone ? (
        data?.length === 0 ? (
          <EmptyState
            icon="calendar"
            {...(isNarrowed(search) || search.status ? texts.noneFound : texts.none)}
          />
        ) : (
          [...byDay].sort().map(([day, reports]) => (
            <section key={day} className={classes.agendaDay}>
              <Title order={3}>{formats.date(day)}</Title>
              {rows(reports)}
            </section>
          ))
        )
      ) : (
        <MonthGrid
          month={month}
          today={today}
          byDay={byDay}
          plateById={vehicles.plateById}
          isStale={isPlaceholderData || data === undefined}
          search={search}
        />
      )}
      {search.day && (
        <Drawer
          opened
          onClose={() => onChange({ day: undefined })}
          position="right"
          size={420}
          title={texts.ofDay(formats.date(search.day))}
          overlayProps={{ backgroundOpacity: 0.15 }}
          closeButtonProps={{ 'aria-label': forms.close }}
        >
          {rows(byDay.get(search.day) ?? [])}
        </Drawer>
      )}
    </>
  );
}
