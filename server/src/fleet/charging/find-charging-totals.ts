import Type, { type Static } from 'typebox';
import { operation } from '../../platform/http/operation.ts';
import { invalidBody, type ValidationIssue } from '../../platform/http/problem.ts';
import type { Parsed } from '../../platform/http/request-part.ts';
import { pageRequestProperties, pageResponse } from '../../platform/search/page.ts';
import { type ParsedSearch, parseSearch } from '../../platform/search/parse-search.ts';
import {
  addMonths,
  monthsBetween,
  nextDay,
  startOfMonth,
  startOfTwelveMonths,
} from '../../platform/time/months.ts';
import { startsOfDays } from '../../platform/time/starts-of-days.ts';
import { startOfDateIn } from '../../platform/time/time-zone.ts';
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
    const byDay = groupBy.includes('day');
    const days = daysOf(from, to, byDay ? nextDay : startOfNextMonth);
    const starts = byDay
      ? await startsOfDays(timeZone, days)
      : days.map((day) => startOfDateIn(timeZone, day));
    const rows = await db.queryUnprepared<TotalRow>(totalsSql(groupBy), [
      provider.id,
      startOfDateIn(timeZone, from),
      startOfDateIn(timeZone, nextDay(to)),
      starts,
      pageSize,
      pageNumber,
    ]);
    const items = rows.flatMap((row) =>
      row.session_count === null ? [] : [totalOf(row, groupBy, days)],
    );
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

const startOfNextMonth = (day: string) => addMonths(startOfMonth(day), 1);

/** The first day of a period, and those that follow. */
function daysOf(from: string, to: string, next: (day: string) => string): string[] {
  const days: string[] = [];
  for (let day = from; day <= to; day = next(day)) days.push(day);
  return days;
}

/**
 * The totals of a page, and how many there are; a row of its own where the page has none. $4 are the times at which months
 * or days begin, since PostgreSQL may not know the zone.
 */
function totalsSql(groupBy: readonly Grouping[]): string {
  const byTime = groupBy.includes('month') || groupBy.includes('day');
  const period = byTime ? 'width_bucket(s.from_time, $4::timestamptz[])' : undefined;
  const vehicle = groupBy.includes('vehicle') ? 's.vehicle_id' : undefined;
  const grouped = [period, vehicle].filter((key) => key !== undefined);
  return `
    with totals as (
      select ${period ?? 'null::integer'} as period, ${vehicle ?? 'null'} as vehicle,
        count(*)::int as session_count, coalesce(sum(least(s.charged_kwh, ${maxSummedKwh})) filter (where s.charged_kwh is not null), 0) as charged_kwh
      from charging_sessions s
      where s.provider = $1 and not s.superseded and s.from_time >= $2 and s.from_time < $3
        and $4::timestamptz[] is not null
      ${grouped.length > 0 ? `group by ${grouped.join(', ')}` : ''}
    ), page as (
      select * from totals order by period, vehicle limit $5 offset $6::bigint * $5::bigint
    )
    select page.*, (select count(*)::int from totals) as total
    from (select) one left join page on true
    order by period, vehicle`;
}

/** More than anything charges; of a session it may be any number, whose sum PostgreSQL cannot have. */
const maxSummedKwh = 1e9;

type TotalRow = {
  period: number | null;
  vehicle: string | null;
  session_count: number | null;
  charged_kwh: number;
  total: number;
};

function totalOf(row: TotalRow, groupBy: readonly Grouping[], days: readonly string[]) {
  const { period, vehicle, session_count: count, charged_kwh: kwh } = row;
  // Buckets are numbered from 1.
  const day = days[(period ?? 1) - 1] ?? '';
  return {
    ...(groupBy.includes('month') && { month: day.slice(0, 7) }),
    ...(groupBy.includes('day') && { day }),
    ...(vehicle !== null && { vehicleId: vehicle }),
    sessionCount: count,
    chargedKWh: Math.round(kwh * 1_000) / 1_000,
  };
}
