import Type from 'typebox';
import { ReadBudget } from '../../platform/db/read-budget.ts';
import { maxAnswerBytes } from '../../platform/http/large-json.ts';
import { operation } from '../../platform/http/operation.ts';
import { invalidBody, type ValidationIssue } from '../../platform/http/problem.ts';
import {
  pageBody,
  pageIssues,
  pageOf,
  pageRequestProperties,
  pageResponse,
} from '../../platform/search/page.ts';
import { columnOf } from '../../platform/search/schema-field.ts';
import { toMilliseconds } from '../../platform/time/instant.ts';
import type { Dependencies } from '../dependencies.ts';
import { requireVehicle, vehicleIdParameter } from '../vehicles/public.ts';
import { extraProperty } from './extra-signals.ts';
import { selectedSignals, signalProperties, signalsOf } from './signals.ts';

const fieldNames = [
  'odometer',
  'fuelLevel',
  'location',
  'stateOfCharge',
  'speed',
  'heading',
  'altitude',
  'outsideTemperature',
  'batteryVoltage',
  'fuelConsumed',
  'extra',
] as const;
type FieldName = (typeof fieldNames)[number];

const resolutions = ['raw', 'minute', 'hour', 'day', 'week', 'month'] as const;
type Resolution = (typeof resolutions)[number];
type Interval = Exclude<Resolution, 'raw'>;

const {
  odometer,
  fuelLevel,
  location,
  stateOfCharge,
  speed,
  heading,
  altitude,
  outsideTemperature,
  batteryVoltage,
  fuelConsumed,
} = signalProperties;

const HistoryItemSchema = Type.Object(
  {
    time: Type.String({
      format: 'date-time',
      description: 'When it was measured, or when the interval begins.',
    }),
    odometer,
    fuelLevel,
    location,
    stateOfCharge,
    speed,
    heading,
    altitude,
    outsideTemperature,
    batteryVoltage,
    fuelConsumed,
    extra: extraProperty,
    doubtful: Type.Optional(
      Type.Array(Type.Enum(['odometer'], { type: 'string' }), {
        maxItems: 1,
        description:
          'What fell or leapt, and no later reading has agreed with. Only raw items have it: intervals leave such readings out.',
      }),
    ),
  },
  { $id: 'HistoryItem', additionalProperties: false },
);

const instant = (description: string, example: string) =>
  Type.String({ format: 'date-time', description, examples: [example] });

const HistoryRequestSchema = Type.Object(
  {
    from: instant('The beginning of the period.', '2026-11-14T00:00:00Z'),
    to: Type.Optional(
      instant('The end of the period, itself left out; now when left out.', '2026-11-15T00:00:00Z'),
    ),
    resolution: Type.Optional(
      Type.Enum([...resolutions], {
        type: 'string',
        default: 'hour',
        description:
          '`raw` for each moment that is stored; otherwise one item for each interval that has any, with the last value of each ' +
          'field in it. Intervals are those of UTC, and weeks begin on Monday.',
      }),
    ),
    fields: Type.Optional(
      Type.Array(Type.Enum([...fieldNames], { type: 'string' }), {
        minItems: 1,
        maxItems: fieldNames.length,
        uniqueItems: true,
        description: 'Which fields; all of them when left out.',
      }),
    ),
    ...pageRequestProperties,
  },
  { $id: 'VehicleHistoryRequest', additionalProperties: false },
);

export const getVehicleHistory = operation({
  id: 'getVehicleHistory',
  method: 'POST',
  path: '/{vehicleId}/history',
  tag: 'Databox',
  role: 'viewer',
  origin: 'motorpool',
  summary: 'Read the history of a vehicle',
  description:
    'Returns what was measured of the vehicle in a period, such as odometer, level and position, the oldest first, in pages. ' +
    'A moment or an interval in which none of the fields was measured is left out.',
  parameters: vehicleIdParameter,
  body: {
    schema: HistoryRequestSchema,
    required: true,
    rules: (body) => [...periodIssues(body), ...pageIssues(body)],
    examples: {
      day: {
        summary: 'The odometer and the level of a day, by the hour',
        value: {
          from: '2026-11-14T00:00:00Z',
          to: '2026-11-15T00:00:00Z',
          resolution: 'hour',
          fields: ['odometer', 'fuelLevel'],
          pagination: { pageNumber: 0, pageSize: 24 },
        },
      },
    },
  },
  responses: {
    200: pageResponse('VehicleHistoryResponse', 'A page of the history.', HistoryItemSchema, {
      time: '2026-11-14T08:00:00.000Z',
      odometer: 45_210,
      fuelLevel: 74,
    }),
  },
  notFound: ['vehicle'],
  workload: 'search',
  async handler({ provider, parameters: { vehicleId }, body }, { db, clock }: Dependencies) {
    const { from, resolution = 'hour', fields = fieldNames } = body;
    const { to = clock.now().toISOString() } = body;
    const issues = periodIssues({ from, to });
    if (issues.length > 0) throw invalidBody(issues);
    const { pageNumber, pageSize } = pageOf(body);
    const period = [toMilliseconds(from), toMilliseconds(to)];
    const budget = new ReadBudget(maxAnswerBytes);
    const rows = await db.queryUnprepared<HistoryRow>(
      selectHistory(resolution, fields),
      [provider.id, vehicleId, ...period, pageSize, pageNumber],
      budget,
    );
    const totalEntries = rows[0]?.total ?? 0;
    if (totalEntries === 0) await requireVehicle(db, provider, vehicleId);
    const items = rows.filter(({ time }) => time !== null).map(itemOf);
    const pagination = { pageNumber, pageSize, totalEntries };
    return { status: 200, body: pageBody(items, { pagination, budget }) };
  },
});

function periodIssues({ from, to }: { from: string; to?: string | undefined }): ValidationIssue[] {
  if (to === undefined || instantOf(from) < instantOf(to)) return [];
  return [{ pointer: '/from', detail: `from must be before to, which is ${to}.` }];
}

function instantOf(dateTime: string): number {
  return Date.parse(toMilliseconds(dateTime));
}

type HistoryRow = Record<string, unknown> & { total: number; time: string | null };

function itemOf({ time, odometer_confirmed, extra, ...row }: HistoryRow) {
  return {
    time,
    ...signalsOf(row, signalFields),
    ...(extra !== null && extra !== undefined && { extra }),
    ...(odometer_confirmed === false && { doubtful: ['odometer'] }),
  };
}

const signalFields = fieldNames.filter((name) => name !== 'extra');

/** The columns of a field, with the names that `signalsOf` reads. */
function columnsOf(field: FieldName): string {
  return field === 'extra' ? 'h.extra' : selectedSignals([field], 'h');
}

function firstColumn(field: FieldName): string {
  return field === 'location' ? 'lat' : columnOf(field);
}

/** One statement, so that the count and the page are of the same moment. */
function selectHistory(resolution: Resolution, fields: readonly FieldName[]): string {
  const { items, ofPage, values } =
    resolution === 'raw' ? selectMoments(fields) : selectIntervals(resolution, fields);
  return `
    with recursive items as ${items}, page as materialized (
      select * from items order by time limit $5 offset $6::bigint * $5::bigint
    ) ${ofPage}
    select (select count(*) from items) as total, item.* from (select) one
    left join lateral (select ${values} order by time) item on true`;
}

const ofVehicle = 'from vehicle_history h where h.provider = $1 and h.vehicle_id = $2';
const ofPeriod = `${ofVehicle} and h.time >= $3::timestamptz and h.time < $4::timestamptz`;

function selectMoments(fields: readonly FieldName[]) {
  const columns = fields.map(columnsOf);
  if (fields.includes('odometer')) columns.push('h.odometer_confirmed');
  const isKnown = fields.map((field) => `(${isMeasured(field, 'raw')})`).join(' or ');
  const items = `not materialized (select h.time, ${columns.join(', ')} ${ofPeriod} and (${isKnown}))`;
  return { items, ofPage: '', values: '* from page' };
}

/** The values are read only for the intervals of the page, which are far fewer than all. */
function selectIntervals(interval: Interval, fields: readonly FieldName[]) {
  const isKnown = fields.map((field) => `(${isMeasured(field, interval)})`).join(' or ');
  const items = interval === 'minute' ? allIntervals(isKnown) : eachInterval(interval, isKnown);
  const flags = fields.map((field) => `${isMeasured(field, interval)} as ${flagOf(field)}`);
  const measured = fields.map(
    (field) => `bool_or(${isMeasured(field, interval)}) as ${flagOf(field)}`,
  );
  const values = fields.map((field) => `last_${firstColumn(field)}.*`);
  return {
    items: `materialized (${items})`,
    // Whether a field that the last moments lack is measured at all: else each interval would be read for it in vain.
    ofPage: `, measured as materialized (
      select ${measured.join(', ')} ${ofPeriod} and h.time >= (select min(time) from page)
        and h.time < (select max(time) from page) + interval '1 ${interval}'
    )`,
    values: `item.time, ${values.join(', ')} from page item
      cross join lateral (select ${flags.join(', ')} ${ofInterval(interval)} order by h.time desc limit 1) last
      ${fields.map((field) => lastOf(field, interval)).join('')}`,
  };
}

/** In SQL: of so short intervals, all moments are read for less than as many searches in an index. */
function allIntervals(isKnown: string): string {
  return `select date_trunc('minute', h.time, 'UTC') as time ${ofPeriod} and (${isKnown}) group by 1`;
}

/** In SQL: from the first moment of each interval to that of the next, however many are between them. */
function eachInterval(interval: Interval, isKnown: string): string {
  const first = (from: string) => `
    select date_trunc('${interval}', h.time, 'UTC') as time ${ofPeriod} ${from} and (${isKnown})
    order by h.time limit 1`;
  return `
    (${first('')})
    union all
    select next.time from items item
    cross join lateral (${first(`and h.time >= item.time + interval '1 ${interval}'`)}) next`;
}

/** In SQL: whether a moment has the field; a reading of the odometer that is in doubt is no value of an interval. */
function isMeasured(field: FieldName, resolution: Resolution): string {
  const isKnown = `h.${firstColumn(field)} is not null`;
  return field === 'odometer' && resolution !== 'raw'
    ? `${isKnown} and h.odometer_confirmed is not false`
    : isKnown;
}

function flagOf(field: FieldName): string {
  return `has_${firstColumn(field)}`;
}

/** In SQL: the moments within the interval of an item and the period. */
function ofInterval(interval: Interval): string {
  return `${ofPeriod} and h.time >= item.time and h.time < item.time + interval '1 ${interval}'`;
}

/** In SQL: joins the last value of a field within the interval and the period. */
function lastOf(field: FieldName, interval: Interval): string {
  const flag = flagOf(field);
  return `
    left join lateral (
      select ${columnsOf(field)} ${ofInterval(interval)} and ${isMeasured(field, interval)}
        and case when last.${flag} then true else (select ${flag} from measured) end
      order by h.time desc limit 1
    ) last_${firstColumn(field)} on true`;
}
