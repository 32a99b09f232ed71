import Type from 'typebox';
import { operation } from '../../platform/http/operation.ts';
import { invalidBody, type ValidationIssue } from '../../platform/http/problem.ts';
import {
  pageIssues,
  pageOf,
  pageRequestProperties,
  pageResponse,
} from '../../platform/search/page.ts';
import { toMilliseconds } from '../../platform/time/instant.ts';
import type { Dependencies } from '../dependencies.ts';
import { requireVehicle, vehicleIdParameter } from '../vehicles/public.ts';
import { signalProperties } from './signals.ts';

const fieldNames = ['odometer', 'fuelLevel', 'location'] as const;
type FieldName = (typeof fieldNames)[number];

const resolutions = ['raw', 'minute', 'hour', 'day', 'week', 'month'] as const;
type Resolution = (typeof resolutions)[number];

const { odometer, fuelLevel, location } = signalProperties;

const HistoryItemSchema = Type.Object(
  {
    time: Type.String({
      format: 'date-time',
      description: 'When it was measured, or when the interval begins.',
    }),
    odometer,
    fuelLevel,
    location,
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
    'Returns what the odometer, the level and the position of the vehicle were in a period, the oldest first, in pages. ' +
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
    const rows = await db.queryUnprepared<HistoryRow>(selectHistory(resolution, fields), [
      provider.id,
      vehicleId,
      toMilliseconds(from),
      toMilliseconds(to),
      pageSize,
      pageNumber,
    ]);
    const totalEntries = rows[0]?.total ?? 0;
    if (totalEntries === 0) await requireVehicle(db, provider, vehicleId);
    const items = rows.filter(({ time }) => time !== null).map(itemOf);
    return { status: 200, body: { items, pagination: { pageNumber, pageSize, totalEntries } } };
  },
});

function periodIssues({ from, to }: { from: string; to?: string | undefined }): ValidationIssue[] {
  if (to === undefined || instantOf(from) < instantOf(to)) return [];
  return [{ pointer: '/from', detail: `from must be before to, which is ${to}.` }];
}

function instantOf(dateTime: string): number {
  return Date.parse(toMilliseconds(dateTime));
}

type HistoryRow = {
  total: number;
  time: string | null;
  odometer?: number | null;
  fuel_level?: number | null;
  lat?: number | null;
  lng?: number | null;
};

function itemOf({ time, odometer, fuel_level, lat, lng }: HistoryRow) {
  return {
    time,
    odometer: odometer ?? undefined,
    fuelLevel: fuel_level ?? undefined,
    location: typeof lat === 'number' ? { lat, lng } : undefined,
  };
}

const columns: Record<FieldName, readonly [string, ...string[]]> = {
  odometer: ['odometer'],
  fuelLevel: ['fuel_level'],
  location: ['lat', 'lng'],
};

/** One statement, so that the count and the page are of the same moment. */
function selectHistory(resolution: Resolution, fields: readonly FieldName[]): string {
  const isKnown = fields.map((field) => `h.${columns[field][0]} is not null`).join(' or ');
  const period = 'h.time >= $3::timestamptz and h.time < $4::timestamptz';
  const items =
    resolution === 'raw'
      ? `not materialized (select h.time, ${fields.flatMap((field) => columns[field]).join(', ')} ${ofVehicle} and ${period} and (${isKnown}))`
      : `materialized (
          select date_trunc('${resolution}', h.time, 'UTC') as time ${ofVehicle} and ${period} and (${isKnown}) group by 1
        )`;
  // Only for the intervals of the page, which are far fewer than all.
  const values =
    resolution === 'raw' ? '' : fields.map((field) => lastOf(field, resolution)).join('');
  return `
    with items as ${items}
    select (select count(*) from items) as total, page.* from (select) one
    left join lateral (
      select * from (
        select * from items order by time limit $5 offset $6::bigint * $5::bigint
      ) item ${values}
      order by time
    ) page on true`;
}

const ofVehicle = 'from vehicle_history h where h.provider = $1 and h.vehicle_id = $2';

/** In SQL: joins the last value of a field within the interval and the period. */
function lastOf(field: FieldName, interval: Exclude<Resolution, 'raw'>): string {
  const [first] = columns[field];
  return `
    left join lateral (
      select ${columns[field].map((column) => `h.${column}`).join(', ')} ${ofVehicle}
        and h.time >= greatest(item.time, $3::timestamptz)
        and h.time < least(item.time + interval '1 ${interval}', $4::timestamptz)
        and h.${first} is not null
      order by h.time desc limit 1
    ) last_${first} on true`;
}
