import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { InlineProblem } from '../../feedback/problem.tsx';
import { usePlates } from '../../fleet/named-vehicles.ts';
import { queryKey } from '../../fleet/queries.ts';
import { AnchorLink } from '../../layout/anchor-link.tsx';
import { Panel } from '../../layout/panel.tsx';
import { ScrollBox } from '../../layout/scroll-box.tsx';
import { ShowMore } from '../../layout/show-more.tsx';
import { useFleet } from '../../session/connection.tsx';
import { useFormats, useTexts } from '../../texts/texts-provider.tsx';
import { Plate } from '../../values/plate.tsx';
import classes from './costs-page.module.css';

type Props = { from: string; currency: string; whole: number };

const step = 25;

/** The vehicles that cost most, with what a km of them costs. */
export function VehicleCosts({ from, currency, whole }: Props) {
  const { costs: texts } = useTexts();
  const formats = useFormats();
  const fleet = useFleet();
  const [size, setSize] = useState(step);
  const { data, error } = useQuery({
    queryKey: queryKey('invoice', 'costs', 'vehicle', from, currency, size),
    queryFn: ({ signal }) =>
      fleet.invoices
        .findCosts(
          {
            from,
            groupBy: ['vehicle'],
            filters: [{ field: 'currency', value: currency }],
            sorting: [{ field: 'amount', direction: 'desc' }],
            pagination: { pageSize: size },
          },
          { signal },
        )
        .page(),
    placeholderData: keepPreviousData,
  });
  const plateById = usePlates(data?.items.map(({ vehicleId }) => vehicleId) ?? []);
  const left = (data?.pagination.totalEntries ?? 0) - (data?.items.length ?? 0);
  const most = Math.max(1, ...(data?.items.map(({ amount }) => amount) ?? []));
  return (
    <Panel title={texts.byVehicle} count={data?.pagination.totalEntries}>
      {error && !data && <InlineProblem error={error} />}
      <ScrollBox label={texts.byVehicle}>
        <table className={classes.table} aria-busy={data === undefined || undefined}>
          <thead>
            <tr>
              <th scope="col">{texts.vehicle}</th>
              <th scope="col" data-numeric>
                {texts.amount}
              </th>
              <th scope="col">{texts.share}</th>
              <th scope="col" data-numeric>
                {texts.distance}
              </th>
              <th scope="col" data-numeric>
                {texts.perKm}
              </th>
            </tr>
          </thead>
          <tbody>
            {data?.items.map(({ vehicleId, amount, distance, costPerKm }) => (
              <tr key={vehicleId ?? ''}>
                <th scope="row">
                  {vehicleId ? (
                    <AnchorLink
                      to="/vehicles/$vehicleId/$tab"
                      params={{ vehicleId, tab: 'invoices' }}
                    >
                      <Plate plate={plateById(vehicleId)} />
                    </AnchorLink>
                  ) : (
                    texts.noVehicle
                  )}
                </th>
                <td data-numeric>{formats.money(amount, currency)}</td>
                <td>
                  <span className={classes.share}>
                    <span style={{ width: `${Math.max(1, (amount / most) * 100)}%` }} />
                  </span>
                  {whole > 0 && formats.percentOf(Math.round((amount / whole) * 1_000) / 10)}
                </td>
                <td data-numeric>{distance !== undefined && formats.kilometres(distance)}</td>
                <td data-numeric>
                  {costPerKm !== undefined && formats.price(Number(costPerKm), currency, 2)}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollBox>
      {left > 0 && <ShowMore count={Math.min(step, left)} onShow={() => setSize(size + step)} />}
    </Panel>
  );
}
