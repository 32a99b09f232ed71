import { Breadcrumbs, Group } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { BarFigure } from '../../charts/bar-figure.tsx';
import { EmptyState } from '../../feedback/empty-state.tsx';
import { Problem } from '../../feedback/problem.tsx';
import { Bone, Delayed } from '../../feedback/skeleton.tsx';
import { queryKey } from '../../fleet/queries.ts';
import { minorOf } from '../../formats/currency.ts';
import { useCurrency } from '../../forms/use-currency.ts';
import { Page } from '../../frame/page.tsx';
import { AnchorLink } from '../../layout/anchor-link.tsx';
import { ChoiceLinks } from '../../layout/choice-links.tsx';
import { Panel } from '../../layout/panel.tsx';
import { useFleet } from '../../session/connection.tsx';
import { useFormats, useTexts } from '../../texts/texts-provider.tsx';
import { CostExport } from './cost-export.tsx';
import { costsByMonth } from './costs-by-month.ts';
import classes from './costs-page.module.css';
import { monthsOf, periods } from './costs-search.ts';
import { currenciesOf } from './currencies.ts';
import { costsRoute } from './route.ts';
import { VehicleCosts } from './vehicle-costs.tsx';

/** What the fleet costs, by month and kind, and by vehicle. */
export function CostsPage() {
  const { pages, costs: texts, costKinds } = useTexts();
  const formats = useFormats();
  const fleet = useFleet();
  const search = costsRoute.useSearch();
  const count = search.months ?? 12;
  const months = monthsOf(count);
  const from = `${months[0]}-01`;
  const { data, error, refetch } = useQuery({
    queryKey: queryKey('invoice', 'costs', 'month-kind', from),
    queryFn: ({ signal }) =>
      fleet.invoices
        .findCosts(
          {
            from,
            groupBy: ['month', 'kind'],
            includeDistance: false,
            pagination: { pageSize: 1_000 },
          },
          { signal },
        )
        .toArray(),
    placeholderData: keepPreviousData,
  });
  const own = useCurrency();
  const currencies = currenciesOf(data ?? [], own);
  const currency = search.currency ?? currencies[0] ?? own;
  const totals = (data ?? []).filter((total) => total.currency === currency);
  const whole = totals.reduce((sum, { amount }) => sum + amount, 0);
  const { rows, series } = costsByMonth(
    totals,
    months,
    costKinds,
    texts.otherKinds,
    (month) => `${formats.shortMonth(month)} ${month.slice(2, 4)}`,
  );
  const money = (major: number) => formats.money(minorOf(major, currency), currency);
  return (
    <>
      <Breadcrumbs className={classes.crumbs} separatorMargin={6}>
        <AnchorLink to="/invoices" size="xs">
          {pages.invoices}
        </AnchorLink>
      </Breadcrumbs>
      <Page title={texts.title} actions={<CostExport from={from} />}>
        <Group gap="xs" mb={16}>
          <ChoiceLinks
            label={texts.range}
            current={String(count)}
            choices={periods.map((period) => ({
              key: String(period),
              label: texts.months(period),
              link: {
                to: '/invoices/costs' as const,
                search: { ...search, months: period },
              },
            }))}
          />
          {currencies.length > 1 && (
            <ChoiceLinks
              label={texts.currency}
              current={currency}
              choices={currencies.map((one) => ({
                key: one,
                label: one,
                link: { to: '/invoices/costs' as const, search: { ...search, currency: one } },
              }))}
            />
          )}
        </Group>
        {error && !data ? (
          <Problem error={error} onRetry={() => void refetch()} />
        ) : !data ? (
          <Delayed>
            <Bone width="60%" />
          </Delayed>
        ) : totals.length === 0 ? (
          <EmptyState icon="chart-column" {...texts.none} />
        ) : (
          <div className={classes.stack}>
            <dl className={classes.figures}>
              <Figure label={texts.total} value={formats.money(whole, currency)} />
              <Figure label={texts.average} value={formats.money(whole / count, currency)} />
            </dl>
            <Panel title={texts.byMonth}>
              <BarFigure
                data={{
                  label: texts.byMonth,
                  axis: texts.month,
                  rows,
                  series,
                  format: money,
                }}
                height={280}
              />
            </Panel>
            <VehicleCosts from={from} currency={currency} whole={whole} />
          </div>
        )}
      </Page>
    </>
  );
}

function Figure({ label, value }: { label: string; value: string }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>{value}</dd>
    </div>
  );
}
