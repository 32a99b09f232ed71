import type { Vehicle } from '@motorpool/client';
import { useQuery } from '@tanstack/react-query';
import { BarFigure } from '../../charts/bar-figure.tsx';
import { EmptyState } from '../../feedback/empty-state.tsx';
import { InlineProblem } from '../../feedback/problem.tsx';
import { queryKey } from '../../fleet/queries.ts';
import { minorOf } from '../../formats/currency.ts';
import { useCurrency } from '../../forms/use-currency.ts';
import { AnchorLink } from '../../layout/anchor-link.tsx';
import { Panel } from '../../layout/panel.tsx';
import { ScrollBox } from '../../layout/scroll-box.tsx';
import { useFleet } from '../../session/connection.tsx';
import { useFormats, useTexts } from '../../texts/texts-provider.tsx';
import { invoiceNumberOf } from '../../values/invoice-number.ts';
import { InvoiceState } from '../../values/invoice-state.tsx';
import { costsByMonth } from '../costs/costs-by-month.ts';
import figures from '../costs/costs-page.module.css';
import { monthsOf } from '../costs/costs-search.ts';
import { currenciesOf } from '../costs/currencies.ts';
import classes from './charging/charging-tab.module.css';

/** What a vehicle costs, also by km, and the invoices that say so. */
export function InvoicesTab({ vehicle }: { vehicle: Vehicle }) {
  const { costs: texts, costKinds, invoices: words, pages } = useTexts();
  const formats = useFormats();
  const fleet = useFleet();
  const { id: vehicleId } = vehicle.asset;
  const months = monthsOf(12);
  const from = `${months[0]}-01`;
  const filters = [{ field: 'vehicleId', value: vehicleId }];
  const { data: totals, error } = useQuery({
    queryKey: queryKey('invoice', 'costs', 'of-vehicle', vehicleId, from),
    queryFn: ({ signal }) =>
      fleet.invoices
        .findCosts(
          {
            from,
            groupBy: ['month', 'kind'],
            includeDistance: false,
            filters,
            pagination: { pageSize: 1_000 },
          },
          { signal },
        )
        .toArray(),
  });
  const { data: whole } = useQuery({
    queryKey: queryKey('invoice', 'costs', 'vehicle-whole', vehicleId, from),
    queryFn: ({ signal }) =>
      fleet.invoices.findCosts({ from, groupBy: ['vehicle'], filters }, { signal }).toArray(),
  });
  const { data: invoices } = useQuery({
    queryKey: queryKey('invoice', 'of-vehicle', vehicleId),
    queryFn: ({ signal }) =>
      fleet.invoices
        .find(
          {
            filters: [{ field: 'lines.vehicleId', value: vehicleId }],
            sorting: [{ field: 'issueDate', direction: 'desc' }],
            pagination: { pageSize: 100 },
          },
          { signal },
        )
        .page(),
  });
  const fleetCurrency = useCurrency();
  const currency = currenciesOf(totals ?? [], fleetCurrency)[0] ?? fleetCurrency;
  const main = totals && whole?.find((total) => total.currency === currency);
  const others = totals && whole?.filter((total) => total !== main);
  const { rows, series } = costsByMonth(
    (totals ?? []).filter((total) => total.currency === currency),
    months,
    costKinds,
    texts.otherKinds,
    (month) => `${formats.shortMonth(month)} ${month.slice(2, 4)}`,
  );
  return (
    <div className={classes.stack}>
      <Panel title={`${texts.title}: ${texts.lastTwelve}`}>
        {error && !totals && <InlineProblem error={error} />}
        {main && (
          <dl className={figures.figures}>
            <div>
              <dt>{texts.total}</dt>
              <dd>{formats.money(main.amount, currency)}</dd>
            </div>
            {main.costPerKm !== undefined && (
              <div>
                <dt>{texts.perKm}</dt>
                <dd>{texts.perKmOf(formats.price(Number(main.costPerKm), currency, 2))}</dd>
              </div>
            )}
            {main.distance !== undefined && (
              <div>
                <dt>{texts.distance}</dt>
                <dd>{formats.kilometres(main.distance)}</dd>
              </div>
            )}
          </dl>
        )}
        {others !== undefined && others.length > 0 && (
          <p className={classes.quiet}>
            {texts.otherCurrencies(
              others.map((total) => formats.money(total.amount, total.currency)).join(', '),
            )}
          </p>
        )}
        {totals?.length === 0 ? (
          <p className={classes.quiet}>{`${texts.none.title}. ${texts.none.advice}`}</p>
        ) : (
          <BarFigure
            data={{
              label: texts.byMonth,
              axis: texts.month,
              rows,
              series,
              format: (value) => formats.money(minorOf(value, currency), currency),
            }}
          />
        )}
      </Panel>
      <Panel title={pages.invoices} count={invoices?.pagination.totalEntries}>
        {invoices?.items.length === 0 ? (
          <EmptyState icon="receipt-text" {...texts.vehicleNone} />
        ) : (
          <ScrollBox label={pages.invoices}>
            <table className={classes.table} aria-busy={invoices === undefined || undefined}>
              <thead>
                <tr>
                  <th scope="col">{words.fields.number}</th>
                  <th scope="col">{words.fields['supplier.name']}</th>
                  <th scope="col">{words.columns.status}</th>
                  <th scope="col">{words.fields['lines.kind']}</th>
                  <th scope="col" data-numeric>
                    {words.fields.issueDate}
                  </th>
                  <th scope="col" data-numeric>
                    {words.ofVehicle}
                  </th>
                </tr>
              </thead>
              <tbody>
                {invoices?.items.map((invoice) => {
                  const { id, supplier, issueDate, lines, currency: paidIn } = invoice;
                  const own = lines.filter((line) => line.vehicleId === vehicleId);
                  return (
                    <tr key={id}>
                      <th scope="row">
                        <AnchorLink to="/invoices/$invoiceId" params={{ invoiceId: id }}>
                          {invoiceNumberOf(invoice, words) ?? words.unnamed}
                        </AnchorLink>
                      </th>
                      <td>{supplier?.name}</td>
                      <td>
                        <InvoiceState invoice={invoice} />
                      </td>
                      <td>{[...new Set(own.map(({ kind }) => costKinds[kind]))].join(', ')}</td>
                      <td data-numeric>{issueDate && formats.date(issueDate)}</td>
                      <td data-numeric>
                        {formats.exactMoney(
                          own.reduce((sum, { netAmount }) => sum + netAmount, 0),
                          paidIn,
                        )}
                      </td>
                    </tr>
                  );
                })}
              </tbody>
            </table>
          </ScrollBox>
        )}
      </Panel>
    </div>
  );
}
