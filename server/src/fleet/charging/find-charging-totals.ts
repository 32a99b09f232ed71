import Type, { type Static } from 'typebox';
import { operation } from '../../platform/http/operation.ts';
import { invalidBody, type ValidationIssue } from '../../platform/http/problem.ts';
import type { Parsed } from '../../platform/http/request-part.ts';
import { pageRequestProperties, pageResponse } from '../../platform/search/page.ts';
import { type ParsedSearch, parseSearch } from '../../platform/search/parse-search.ts';
import { monthsBetween, nextDay, startOfTwelveMonths } from '../../platform/time/months.ts';
import { offsetsIn, startOfDateIn } from '../../platform/time/time-zone.ts';
import type { Dependencies } from '../dependencies.ts';
import { readCalendar } from '../profile/public.ts';
import { exampleVehicle, maxVehicleIdLength } from '../vehicles/public.ts';

const groupings = ['month', 'day', 'vehicle'] as const;
type Grouping = (typeof groupings)[number];

const maxMonths = 120;
// The day after the last one has to have a year of four digits, too.
const endOfCalendar = '9999-12-01';

const ChargingTotalsRequestSchema = Type.Object(
  {
    from: Type.Optional(
      Type.String({
        format: 'date',
        description:
          'The first day; when left out, the first of the month eleven months before the last day.',
        examples: ['2026-01-01'],
      }),
    ),
    to: Type.Optional(
      Type.String({
        format: 'date',
        description: `The last day, by default today; at most ${maxMonths} months after the first.`,
        examples: ['2026-12-31'],
      }),
    ),
    groupBy: Type.Optional(
      Type.Array(Type.Enum([...groupings], { type: 'string' }), {
        maxItems: groupings.length,
        uniqueItems: true,
        default: ['month'],
        description: 'What the rows are totals of. An empty list asks for the whole.',
        examples: [['month']],
      }),
    ),
    ...pageRequestProperties,
  },
  { $id: 'ChargingTotalsRequest', additionalProperties: false },
);
type Sent = Static<typeof ChargingTotalsRequestSchema>;
type TotalsRequest = Pick<Sent, 'from' | 'to'> & {
  groupBy: readonly Grouping[];
  page: ParsedSearch['page'];
};

const ChargingTotalSchema = Type.Object(
  {
    month: Type.Optional(
      Type.String({ maxLength: 7, description: 'The month.', examples: ['2026-10'] }),
    ),
    day: Type.Optional(
      Type.String({ maxLength: 10, description: 'The day.', examples: ['2026-10-28'] }),
    ),
    vehicleId: Type.Optional(
      Type.String({
        maxLength: maxVehicleIdLength,
        description: 'The vehicle.',
        examples: [exampleVehicle.asset.id],
      }),
    ),
    sessionCount: Type.Integer({ description: 'How many sessions began.', examples: [31] }),
    chargedKWh: Type.Number({
      description: 'The energy that was charged in them, in kWh, as far as it is known.',
      examples: [812.4],
    }),
  },
  { $id: 'ChargingTotal', additionalProperties: false },
);

export const findChargingTotals = operation({
  id: 'findChargingTotals',
  method: 'POST',
  path: '/charging/totals',
  tag: 'Vehicles',
  role: 'viewer',
  origin: 'motorpool',
  summary: 'Sum up the energy that the fleet has charged',
  description:
    'Returns how many charging sessions began and how much energy was charged in them, by month, day and vehicle, in their order. ' +
    'Months and days are those of the time zone of the asset provider. Those without a session are left out.',
  parameters: {},
  body: {
    schema: ChargingTotalsRequestSchema,
    required: false,
    parse: parseTotalsRequest,
    examples: {
      months: {
        summary: 'The energy of each of the last twelve months',
        value: { groupBy: ['month'] },
      },
    },
  },
  responses: {
    200: pageResponse('FindChargingTotalsResponse', 'A page of totals.', ChargingTotalSchema, {
      month: '2026-10',
      sessionCount: 31,
      chargedKWh: 812.4,
    }),
  },
  notFound: [],
  workload: 'search',
  async handler({ provider, body: request }, { db, clock }: Dependencies) {
    const { timeZone, today } = await readCalendar(db, provider.id, clock.now());
    const to = request.to ?? today;
    const from = request.from ?? startOfTwelveMonths(to);
    const issues = periodIssues(from, to);
    if (issues.length > 0) throw invalidBody(issues);
    const { groupBy } = request;
    const { pageSize, pageNumber } = request.page;
    const [begin, end] = [startOfDateIn(timeZone, from), startOfDateIn(timeZone, nextDay(to))];
    const offsets = offsetsIn(timeZone, begin, end);
    const rows = await db.queryUnprepared<TotalRow>(totalsSql(groupBy), [
      provider.id,
      begin,
      end,
      offsets.times,
      offsets.seconds,
      pageSize,
      pageNumber,
    ]);
    const items = rows.flatMap((row) => (row.session_count === null ? [] : [totalOf(row)]));
    const pagination = { ...request.page, totalEntries: rows[0]?.total ?? 0 };
    return { status: 200, body: { items, pagination } };
  },
});

const parameterless = { fields: [], columns: '', from: '', id: '' };

function parseTotalsRequest(sent: Sent): Parsed<TotalsRequest> {
  const { groupBy = ['month'], from, to, ...rest } = sent;
  const parsed = parseSearch(parameterless, rest);
  const issues = 'issues' in parsed ? parsed.issues : [];
  issues.push(...(to === undefined || from === undefined ? [] : periodIssues(from, to)));
  if ('issues' in parsed || issues.length > 0) return { issues };
  const { page } = parsed.value;
  return { value: { groupBy, page, ...(from && { from }), ...(to && { to }) } };
}

function periodIssues(from: string, to: string): ValidationIssue[] {
  if (to >= endOfCalendar)
    return [{ pointer: '/to', detail: `to must be before ${endOfCalendar}; found ${to}.` }];
  const isShort = from <= to && monthsBetween(from, to) < maxMonths;
  if (isShort) return [];
  const detail = `from must be at most ${maxMonths} months before to, which is ${to}, and not after it; found ${from}.`;
  return [{ pointer: '/from', detail }];
}

/**
 * The totals of a page, and how many there are; a row of its own where the page has none. $4 and $5 are the offsets of the time
 * zone, since PostgreSQL may not know it.
 */
function totalsSql(groupBy: readonly Grouping[]): string {
  const month = groupBy.includes('month') && `date_trunc('month', s.local_time)::date`;
  const day = groupBy.includes('day') && 's.local_time::date';
  const vehicle = groupBy.includes('vehicle') && 's.vehicle_id';
  const grouped = [month, day, vehicle].filter((key) => key !== false);
  return `
    with sessions as (
      select vehicle_id, charged_kwh, from_time at time zone 'UTC'
        + ($5::int[])[width_bucket(from_time, $4::timestamptz[])] * interval '1 second' as local_time
      from charging_sessions
      where provider = $1 and not superseded and from_time >= $2 and from_time < $3
    ), totals as (
      select ${month || 'null::date'} as month, ${day || 'null::date'} as day, ${vehicle || 'null'} as vehicle,
        count(*)::int as session_count, coalesce(sum(least(s.charged_kwh, ${maxSummedKwh})) filter (where s.charged_kwh is not null), 0) as charged_kwh
      from sessions s
      ${grouped.length > 0 ? `group by ${grouped.join(', ')}` : ''}
    ), page as (
      select * from totals order by month, day, vehicle limit $6 offset $7::bigint * $6::bigint
    )
    select to_char(month, 'YYYY-MM') as month, to_char(day, 'YYYY-MM-DD') as day, vehicle, session_count, charged_kwh, (select count(*)::int from totals) as total
    from (select) one left join page on true
    order by page.month, page.day, vehicle`;
}

/** More than anything charges; of a session it may be any number, whose sum PostgreSQL cannot have. */
const maxSummedKwh = 1e9;

type TotalRow = {
  month: string | null;
  day: string | null;
  vehicle: string | null;
  session_count: number | null;
  charged_kwh: number;
  total: number;
};

function totalOf({ month, day, vehicle, session_count: count, charged_kwh: kwh }: TotalRow) {
  return {
    ...(month !== null && { month }),
    ...(day !== null && { day }),
    ...(vehicle !== null && { vehicleId: vehicle }),
    sessionCount: count,
    chargedKWh: Math.round(kwh * 1_000) / 1_000,
  };
}
