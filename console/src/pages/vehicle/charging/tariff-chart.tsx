import type { ChargingSession } from '@motorpool/client';
import { useQuery } from '@tanstack/react-query';
import { BarFigure } from '../../../charts/bar-figure.tsx';
import { InlineProblem } from '../../../feedback/problem.tsx';
import { Bone, Delayed } from '../../../feedback/skeleton.tsx';
import { queryKey } from '../../../fleet/queries.ts';
import { majorOf, minorOf } from '../../../formats/currency.ts';
import { Panel } from '../../../layout/panel.tsx';
import { useFleet } from '../../../session/connection.tsx';
import { useFormats, useTexts } from '../../../texts/texts-provider.tsx';
import { chargingCosts, sumsOf } from './charging-costs.ts';
import classes from './charging-tab.module.css';

type Props = {
  vehicleId: string;
  sessions: readonly ChargingSession[];
  months: readonly string[];
};

/** What charging cost by month and tariff; what nobody has billed is estimated. */
export function TariffChart({ vehicleId, sessions, months }: Props) {
  const { charging: texts, costs: costTexts } = useTexts();
  const formats = useFormats();
  const fleet = useFleet();
  const from = `${months[0]}-01`;
  const pagination = { pageSize: 1_000 };
  const { data: profile, error: profileError } = useQuery({
    queryKey: queryKey('profile', 'one'),
    queryFn: ({ signal }) => fleet.profile.get({ signal }),
    staleTime: 3_600_000,
  });
  const { data: invoices, error: invoicesError } = useQuery({
    queryKey: queryKey('invoice', 'charging', vehicleId, from),
    queryFn: ({ signal }) =>
      fleet.invoices
        .find(
          {
            filters: [
              { field: 'lines.vehicleId', value: vehicleId },
              { field: 'lines.kind', value: 'energy' },
              { field: 'issueDate', operator: 'gte', value: from },
            ],
            pagination: { pageSize: 100 },
          },
          { signal },
        )
        .toArray(),
  });
  const { data: entries, error: entriesError } = useQuery({
    queryKey: queryKey('logbook-entry', 'charging', vehicleId, from),
    queryFn: ({ signal }) =>
      fleet.logbook
        .find(
          vehicleId,
          {
            filters: [
              { field: 'category', value: 'charging' },
              { field: 'date', operator: 'gte', value: from },
            ],
            pagination,
          },
          { signal },
        )
        .toArray(),
  });
  const currency = profile?.currency ?? 'EUR';
  const price = profile?.electricityPricePerKwh;
  const standard =
    price === undefined ? texts.standard : texts.standardAt(formats.price(price, currency, 2));
  const costs =
    profile && invoices && entries
      ? chargingCosts({
          vehicleId,
          sessions,
          invoices,
          entries,
          currency,
          pricePerKwh: price,
          names: { logbook: texts.logbook, standard },
        })
      : [];
  const tariffs = [...new Set(costs.map(({ tariff }) => tariff))];
  const byMonth = sumsOf(costs, ({ month, tariff, amount }) => ({
    month,
    name: `t${tariffs.indexOf(tariff)}`,
    value: majorOf(amount, currency),
  }));
  const whole = costs.reduce((sum, { amount }) => sum + amount, 0);
  const error = profileError ?? invoicesError ?? entriesError;
  if (!profile || !invoices || !entries)
    return (
      <Panel title={texts.cost}>
        {error ? (
          <InlineProblem error={error} />
        ) : (
          <Delayed>
            <Bone width="60%" />
          </Delayed>
        )}
      </Panel>
    );
  return (
    <Panel title={texts.cost}>
      <p className={classes.quiet}>
        {costs.length > 0 ? texts.costSum(formats.money(whole, currency)) : texts.noCost}
      </p>
      {costs.length > 0 && (
        <BarFigure
          data={{
            label: texts.cost,
            axis: costTexts.month,
            rows: months.map((month) => ({
              name: `${formats.shortMonth(month)} ${month.slice(2, 4)}`,
              values: byMonth.get(month) ?? {},
            })),
            series: tariffs.map((label, index) => ({ key: `t${index}`, label })),
            format: (value) => formats.exactMoney(minorOf(value, currency), currency),
          }}
          formatTick={(value) => formats.money(minorOf(value, currency), currency)}
        />
      )}
    </Panel>
  );
}
