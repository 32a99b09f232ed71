import type { Vehicle } from '@motorpool/client';
import { useQuery } from '@tanstack/react-query';
import { BarFigure } from '../../charts/bar-figure.tsx';
import { EmptyState } from '../../feedback/empty-state.tsx';
import { Problem } from '../../feedback/problem.tsx';
import { Bone, Delayed } from '../../feedback/skeleton.tsx';
import { queryKey } from '../../fleet/queries.ts';
import { dayOf } from '../../formats/days.ts';
import { Panel } from '../../layout/panel.tsx';
import { useFleet } from '../../session/connection.tsx';
import { useFormats, useTexts } from '../../texts/texts-provider.tsx';
import { monthsOf } from '../costs/costs-search.ts';
import { sumsOf } from './charging/charging-costs.ts';
import classes from './charging/charging-tab.module.css';
import { SessionLevel } from './charging/session-level.tsx';
import { SessionTable } from './charging/session-table.tsx';
import { TariffChart } from './charging/tariff-chart.tsx';
import { useTabSearch } from './use-tab-search.ts';

const shownMonths = 12;

/** How a vehicle was charged: energy and cost by month, and each session. */
export function ChargingTab({ vehicle }: { vehicle: Vehicle }) {
  const { charging: texts, costs } = useTexts();
  const formats = useFormats();
  const fleet = useFleet();
  const { id: vehicleId } = vehicle.asset;
  const search = useTabSearch();
  const months = monthsOf(shownMonths);
  const from = `${months[0]}-01`;
  const { data, error, refetch } = useQuery({
    queryKey: queryKey('charging-session', 'of-vehicle', vehicleId, from),
    queryFn: ({ signal }) =>
      fleet.charging
        .find(
          vehicleId,
          {
            filters: [{ field: 'fromDatetime', operator: 'gte', value: `${from}T00:00:00Z` }],
            pagination: { pageSize: 1_000 },
          },
          { signal },
        )
        .toArray(),
  });
  if (error && !data) return <Problem error={error} onRetry={() => void refetch()} />;
  if (!data)
    return (
      <Delayed>
        <Bone width="60%" />
      </Delayed>
    );
  if (data.length === 0) return <EmptyState icon="plug-zap" {...texts.none} />;
  const energy = sumsOf(data, ({ fromDatetime, chargedKWh = 0 }) => ({
    month: dayOf(new Date(fromDatetime)).slice(0, 7),
    name: 'kwh',
    value: chargedKWh,
  }));
  const nameOf = (month: string) => `${formats.shortMonth(month)} ${month.slice(2, 4)}`;
  const whole = data.reduce((sum, { chargedKWh = 0 }) => sum + chargedKWh, 0);
  const session =
    data.find(({ id }) => id === search.session) ??
    data.find(({ fromSoC, toDatetime }) => fromSoC !== undefined && toDatetime !== undefined) ??
    data[0];
  return (
    <div className={classes.stack}>
      <div className={classes.charts}>
        <Panel title={texts.energy}>
          <p className={classes.quiet}>
            {texts.sum(formats.kilowattHours(whole), formats.number(data.length))}
          </p>
          <BarFigure
            data={{
              label: texts.energy,
              axis: costs.month,
              rows: months.map((month) => ({
                name: nameOf(month),
                values: energy.get(month) ?? {},
              })),
              series: [{ key: 'kwh', label: texts.energy }],
              format: formats.kilowattHours,
            }}
          />
        </Panel>
        <TariffChart vehicleId={vehicleId} sessions={data} months={months} />
      </div>
      <div className={classes.charts}>
        <SessionTable vehicleId={vehicleId} sessions={data} current={session?.id} />
        {session && <SessionLevel key={session.id} vehicleId={vehicleId} session={session} />}
      </div>
    </div>
  );
}
