import type { MaintenanceReport } from '@motorpool/client';
import { useQuery } from '@tanstack/react-query';
import { queryKey } from '../../../fleet/queries.ts';
import { addDays, addMonths, dayOf } from '../../../formats/days.ts';
import { Panel } from '../../../layout/panel.tsx';
import { useFleet } from '../../../session/connection.tsx';
import { useTexts } from '../../../texts/texts-provider.tsx';
import { maintenanceLooks } from '../../../values/maintenance-state.tsx';
import { soonestOf } from '../../maintenance/maintenance-search.ts';
import { forecastBand } from './forecast-band.ts';
import { type Happening, type Lane, TimeLine } from './time-line.tsx';
import { useHappened } from './use-happened.ts';

type Props = { vehicleId: string; reports: readonly MaintenanceReport[] };

const aheadMonths = { least: 12, most: 30 };

/** Maintenance, inspections, incidents, invoices and drivers of a vehicle on one axis. */
export function VehicleTimeLine({ vehicleId, reports }: Props) {
  const { vehicle: texts } = useTexts();
  const fleet = useFleet();
  const today = dayOf(new Date());
  const from = `${addMonths(today.slice(0, 7), -12)}-01`;
  const happened = useHappened(vehicleId, from);
  const { data: readings = [] } = useQuery({
    queryKey: queryKey('vehicle', 'odometers', vehicleId, today),
    queryFn: async ({ signal }) => {
      const items = await fleet.telemetry
        .history(
          vehicleId,
          {
            from: `${addDays(today, -91)}T00:00:00Z`,
            resolution: 'day',
            fields: ['odometer'],
            pagination: { pageSize: 100 },
          },
          { signal },
        )
        .toArray();
      return items.flatMap(({ time, odometer }) =>
        odometer === undefined ? [] : [{ day: time.slice(0, 10), odometer }],
      );
    },
    staleTime: 300_000,
  });
  const planned = reports.flatMap((report): Happening[] => {
    const day = soonestOf(report);
    if (!day) return [];
    const { dueOdometer, status } = report;
    return [
      {
        key: report.id,
        day,
        title: report.title,
        ...maintenanceLooks[status],
        link: {
          to: '/vehicles/$vehicleId/$tab',
          params: { vehicleId, tab: 'maintenance' },
          search: { report: report.id },
        },
        band: dueOdometer === undefined ? undefined : forecastBand(readings, dueOdometer, today),
      },
    ];
  });
  const isInspection = (id: string) =>
    reports.some((report) => report.id === id && report.type === 'inspection');
  const lanes: Lane[] = [
    {
      name: texts.lanes.maintenance,
      happenings: [...happened.maintenance, ...planned.filter(({ key }) => !isInspection(key))],
    },
    {
      name: texts.lanes.inspection,
      happenings: [...happened.inspections, ...planned.filter(({ key }) => isInspection(key))],
    },
    { name: texts.lanes.incidents, happenings: happened.incidents },
    { name: texts.lanes.invoices, happenings: happened.invoices },
    { name: texts.lanes.drivers, happenings: [], periods: happened.drivers },
  ];
  const last = planned.map(({ day }) => day.slice(0, 7)).sort();
  const ends = [aheadMonths.least, aheadMonths.most].map((count) =>
    addMonths(today.slice(0, 7), count),
  );
  const wanted = addMonths(last.at(-1) ?? today.slice(0, 7), 1);
  const end = [[wanted, ends[0] ?? ''].sort()[1] ?? '', ends[1] ?? ''].sort()[0];
  return (
    <Panel title={texts.timeLine}>
      <TimeLine label={texts.timeLine} lanes={lanes} today={today} from={from} to={`${end}-01`} />
    </Panel>
  );
}
