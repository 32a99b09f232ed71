import { useQuery } from '@tanstack/react-query';
import { InlineProblem } from '../../feedback/problem.tsx';
import { queryKey } from '../../fleet/queries.ts';
import { Panel } from '../../layout/panel.tsx';
import { useFleet } from '../../session/connection.tsx';
import { useFormats, useTexts } from '../../texts/texts-provider.tsx';
import classes from './overview-page.module.css';

type Month = { month: string; amount: number };

/** What the fleet cost by month, and how the last whole month compares with the one before. */
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
  const currency = data?.[0]?.currency;
  if (error && !data)
    return (
      <Panel title={overview.costs}>
        <InlineProblem error={error} />
      </Panel>
    );
  if (!data || currency === undefined)
    return (
      <Panel title={overview.costs}>
        {data && <p className={classes.quiet}>{overview.noCosts}</p>}
      </Panel>
    );
  const months = data
    .filter((total) => total.currency === currency && total.month !== undefined)
    .map(({ month = '', amount }) => ({ month, amount }));
  const [before, last, current] = [months.at(-3), months.at(-2), months.at(-1)];
  return (
    <Panel title={overview.costs}>
      {last && (
        <div className={classes.cost}>
          <span className={classes.quiet}>{formats.month(last.month)}</span>
          <strong>{formats.money(last.amount, currency)}</strong>
          {before && before.amount > 0 && (
            <span className={classes.quiet}>
              {overview.change(
                formats.change(last.amount / before.amount - 1),
                formats.month(before.month),
              )}
            </span>
          )}
        </div>
      )}
      <Bars months={months} describe={(amount) => formats.money(amount, currency)} />
      {current && (
        <p className={classes.quiet}>
          {overview.soFar(formats.month(current.month), formats.money(current.amount, currency))}
        </p>
      )}
    </Panel>
  );
}

const height = 88;

/** A list for readers of the screen, drawn as bars. The month that is not over yet is hollow. */
function Bars({ months, describe }: { months: Month[]; describe(amount: number): string }) {
  const formats = useFormats();
  const largest = Math.max(1, ...months.map(({ amount }) => amount));
  return (
    <ol className={classes.bars}>
      {months.map(({ month, amount }, index) => (
        <li key={month} title={`${formats.month(month)}: ${describe(amount)}`}>
          <span
            className={classes.bar}
            data-current={index === months.length - 1 || undefined}
            style={{ height: Math.max(2, (Math.max(0, amount) / largest) * height) }}
          />
          <span className={classes.hidden}>{`${formats.month(month)}: ${describe(amount)}`}</span>
        </li>
      ))}
    </ol>
  );
}
