import { type SearchSql, searchSql } from '../../../platform/search/search-sql.ts';
import { addMonths, endOfMonth, nextDay, startOfMonth } from '../../../platform/time/months.ts';
import { startOfDateIn } from '../../../platform/time/time-zone.ts';
import { distanceDriven } from '../../telemetry/public.ts';
import { costItems } from './cost-items.ts';
import type { CostRequest, Grouping } from './cost-request.ts';

/** The keys of the rows, never null, so that they can be joined. */
const keys: Record<Grouping, string> = {
  month: `to_char(c.date, 'YYYY-MM')`,
  vehicle: `coalesce(c.vehicle_id, '')`,
  kind: 'c.kind',
  supplier: `coalesce(upper(regexp_replace(c.supplier_vat_id, '[^A-Za-z0-9]', '', 'g')), normalized_text(c.supplier_name), '')`,
};
const order = Object.keys(keys) as Grouping[];

export type Period = { from: string; to: string };

/** The totals of a page of groups, in one statement. */
export function costSql(
  providerId: string,
  request: CostRequest,
  period: Period,
  timeZone: string,
): Pick<SearchSql, 'values'> & { text: string } {
  const { groupBy, includeDistance, page, filters } = request;
  const scope = { conditions: ['true'], values: [providerId, period.from, period.to] };
  const search = { text: '', mode: 'literal', filters, sorting: [] } as const;
  const { found, values, bind } = searchSql(costItems, scope, search);
  const grouped = order.filter((key) => groupBy.includes(key));
  const names = [...grouped, 'currency'];
  const byMonth = groupBy.includes('month');
  // By vehicle, too, as each has its own distance.
  const text = `
    with parts as materialized (
      select ${grouped.map((key) => `${keys[key]} as "${key}",`).join(' ')} c.currency, c.vehicle_id,
        min(c.supplier_name) as supplier_name, min(c.supplier_vat_id) as supplier_vat_id,
        sum(c.amount) as amount, sum(c.tax_amount) as tax_amount,
        sum(c.amount) filter (where c.source = 'logbook') as logbook_amount
      from ${found}
      group by ${[...grouped.map((key) => keys[key]), 'c.currency', 'c.vehicle_id'].join(', ')}
    ), totals as (
      select ${names.join(', ')}, min(supplier_name) as supplier_name, min(supplier_vat_id) as supplier_vat_id,
        sum(amount) as amount, sum(tax_amount) as tax_amount, coalesce(sum(logbook_amount), 0) as logbook_amount
      from parts group by ${names.join(', ')}
    ), page as (
      select *, row_number() over (order by ${orderOf(request, names)}) as place from totals
      order by place
      limit ${bind(page.pageSize)} offset ${bind(page.pageNumber)}::bigint * ${bind(page.pageSize)}::bigint
    )${includeDistance ? distances(names, byMonth, monthsOf(period, timeZone, byMonth), bind) : ''}
    select page.*, ${includeDistance ? 'driven.distance, driven.driven_amount' : 'null as distance, null as driven_amount'},
      (select count(*) from totals) as total
    from (select) one left join page on true
    ${includeDistance ? 'left join driven using (place)' : ''}
    order by page.place`;
  return { text, values };
}

function orderOf({ sorting }: CostRequest, names: readonly string[]): string {
  const asked = sorting.map(({ field, direction }) => `"${field}" ${direction}`);
  return [...asked, ...names].join(', ');
}

type Month = { month: string; from: Date; to: Date };

/** When the months of a period begin and end; without months, the period itself. */
function monthsOf({ from, to }: Period, timeZone: string, byMonth: boolean): Month[] {
  const timesOf = (first: string, last: string) => ({
    from: startOfDateIn(timeZone, first),
    to: startOfDateIn(timeZone, nextDay(last)),
  });
  if (!byMonth) return [{ month: '', ...timesOf(from, to) }];
  const months: Month[] = [];
  for (let first = from; first <= to; first = startOfMonth(addMonths(startOfMonth(first), 1))) {
    const last = endOfMonth(first) < to ? endOfMonth(first) : to;
    months.push({ month: first.slice(0, 7), ...timesOf(first, last) });
  }
  return months;
}

/** How far the vehicles of each row were driven, and what those of which it is known have cost. */
function distances(
  names: readonly string[],
  byMonth: boolean,
  months: readonly Month[],
  bind: SearchSql['bind'],
): string {
  const times = `unnest(
    ${bind(months.map(({ month }) => month))}::text[],
    ${bind(months.map(({ from }) => from))}::timestamptz[],
    ${bind(months.map(({ to }) => to))}::timestamptz[]
  )`;
  const distance = distanceDriven({
    provider: '$1',
    vehicleId: 'v.vehicle_id',
    from: 't.from_time',
    to: 't.to_time',
  });
  return `, of_page as materialized (
      select page.place, ${byMonth ? 'page.month' : `'' as month`}, parts.vehicle_id, parts.amount
      from page join parts using (${names.join(', ')}) where parts.vehicle_id is not null
    ), vehicles_driven as materialized (
      select v.month, v.vehicle_id, ${distance} as distance
      from (select distinct month, vehicle_id from of_page) v
      join ${times} t (month, from_time, to_time) on t.month = v.month
    ), driven as (
      select o.place, sum(d.distance) as distance, sum(o.amount) filter (where d.distance is not null) as driven_amount
      from of_page o join vehicles_driven d on d.vehicle_id = o.vehicle_id and d.month = o.month
      group by o.place
    )`;
}
