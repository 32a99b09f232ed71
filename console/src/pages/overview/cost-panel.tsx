import { useQuery } from '@tanstack/react-query';
import { InlineProblem } from '../../feedback/problem.tsx';
import { queryKey } from '../../fleet/queries.ts';
import { useCurrency } from '../../forms/use-currency.ts';
import { Panel } from '../../layout/panel.tsx';
import { useFleet } from '../../session/connection.tsx';
import { useFormats, useTexts } from '../../texts/texts-provider.tsx';
import { monthsOf } from '../costs/costs-search.ts';
import { currenciesOf, sumsIn } from '../costs/currencies.ts';
import { MonthPanel } from './month-panel.tsx';
import classes from './overview-page.module.css';

/** What the fleet cost by month. */
export function CostPanel() {
  const { overview } = useTexts();
  const formats = useFormats();
  const fleet = useFleet();
  const { data, error } = useQuery({
    queryKey: queryKey('invoice', 'costs'),
    queryFn: ({ signal }) =>
      fleet.invoices
        .findCosts({ groupBy: ['month'], includeDistance: false }, { signal })
        .toArray(),
    staleTime: 300_000,
  });
  const [currency, ...others] = currenciesOf(data ?? [], useCurrency());
  if (!data || currency === undefined)
    return (
      <Panel title={overview.costs}>
        {error && !data && <InlineProblem error={error} />}
        {data && <p className={classes.quiet}>{overview.noCosts}</p>}
      </Panel>
    );
  const amounts = new Map(
    data.filter((total) => total.currency === currency).map((one) => [one.month, one.amount]),
  );
  const otherSums = sumsIn(others, data).map((sum) => formats.money(sum.amount, sum.currency));
  return (
    <MonthPanel
      title={overview.costs}
      months={monthsOf(12).map((month) => ({ month, value: amounts.get(month) ?? 0 }))}
      describe={(amount) => formats.money(amount, currency)}
      {...(otherSums.length > 0 && { note: overview.otherCurrencies(otherSums.join(', ')) })}
    />
  );
}
