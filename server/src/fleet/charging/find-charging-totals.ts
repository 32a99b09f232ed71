import Type, { type Static } from 'typebox';
import { operation } from '../../platform/http/operation.ts';
import { invalidBody, type ValidationIssue } from '../../platform/http/problem.ts';
import type { Parsed } from '../../platform/http/request-part.ts';
import { pageRequestProperties, pageResponse } from '../../platform/search/page.ts';
import { type ParsedSearch, parseSearch } from '../../platform/search/parse-search.ts';
import { addMonths, monthsBetween, nextDay, startOfMonth } from '../../platform/time/months.ts';
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
    const from = request.from ?? addMonths(startOfMonth(to), -11);
    const issues = periodIssues(from, to);
    if (issues.length > 0) throw invalidBody(issues);
    const { pageSize, pageNumber } = request.page;
    const rows = await db.queryUnprepared<TotalRow>(totalsSql(request.groupBy), [
      provider.id,
      startOfDateIn(timeZone, from),
      startOfDateIn(timeZone, nextDay(to)),
      timeZone,
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

const keys: Record<Grouping, string> = {
  month: `to_char(s.from_time at time zone $4, 'YYYY-MM')`,
  day: `to_char(s.from_time at time zone $4, 'YYYY-MM-DD')`,
  vehicle: 's.vehicle_id',
};

/** The totals of a page, and how many there are; a row of its own where the page has none. */
function totalsSql(groupBy: readonly Grouping[]): string {
  const grouped = groupings.filter((key) => groupBy.includes(key));
  const columns = groupings.map((key) => `${grouped.includes(key) ? keys[key] : 'null'} as ${key}`);
  return `
    with totals as (
      select ${columns.join(', ')}, count(*)::int as session_count,
        coalesce(sum(s.charged_kwh), 0) as charged_kwh
      from charging_sessions s
      where s.provider = $1 and not s.superseded and s.from_time >= $2 and s.from_time < $3
        and $4::text is not null
      ${grouped.length > 0 ? `group by ${grouped.map((key) => keys[key]).join(', ')}` : ''}
    ), page as (
      select * from totals order by month, day, vehicle limit $5 offset $6::bigint * $5::bigint
    )
    select page.*, (select count(*)::int from totals) as total
    from (select) one left join page on true
    order by month, day, vehicle`;
}

type TotalRow = {
  month: string | null;
  day: string | null;
  vehicle: string | null;
  session_count: number | null;
  charged_kwh: number;
  total: number;
};

function totalOf(row: TotalRow) {
  const { month, day, vehicle, session_count: count, charged_kwh: kwh } = row;
  return {
    ...(month !== null && { month }),
    ...(day !== null && { day }),
    ...(vehicle !== null && { vehicleId: vehicle }),
    sessionCount: count,
    chargedKWh: Math.round(kwh * 1_000) / 1_000,
  };
}
