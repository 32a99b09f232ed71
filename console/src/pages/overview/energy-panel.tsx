import { useQuery } from '@tanstack/react-query';
import { InlineProblem } from '../../feedback/problem.tsx';
import { queryKey } from '../../fleet/queries.ts';
import { Panel } from '../../layout/panel.tsx';
import { useFleet } from '../../session/connection.tsx';
import { useFormats, useTexts } from '../../texts/texts-provider.tsx';
import { monthsOf } from '../costs/costs-search.ts';
import { MonthPanel } from './month-panel.tsx';
import classes from './overview-page.module.css';

/** What the fleet has charged by month. */
export function EnergyPanel() {
  const { overview } = useTexts();
  const formats = useFormats();
  const fleet = useFleet();
  const { data, error } = useQuery({
    queryKey: queryKey('charging-session', 'totals', 'month'),
    queryFn: ({ signal }) =>
      fleet.charging.findTotals({ groupBy: ['month'] }, { signal }).toArray(),
    staleTime: 300_000,
  });
  if (!data || data.length === 0)
    return (
      <Panel title={overview.energy}>
        {error && !data && <InlineProblem error={error} />}
        {data && <p className={classes.quiet}>{overview.noEnergy}</p>}
      </Panel>
    );
  const energy = new Map(data.map(({ month, chargedKWh }) => [month, chargedKWh]));
  return (
    <MonthPanel
      title={overview.energy}
      months={monthsOf(12).map((month) => ({ month, value: energy.get(month) ?? 0 }))}
      describe={(value) => formats.kilowattHours(Math.round(value))}
    />
  );
}
