import type { Queryable } from '../../platform/db/database.ts';
import type { Clock } from '../../platform/time/clock.ts';
import type { Session } from './detection/session.ts';
import type { EndedSession } from './detection/session-detector.ts';
import { type SessionSummary, summaryOf } from './detection/session-summary.ts';

/** A session that was detected in the telemetry of a vehicle, as it is written. */
export type DetectedSession = SessionSummary & {
  vehicleId: string;
  /** The id that it takes over; a new one when left out. */
  id?: string;
  /** The time of the sample that showed that it cannot continue. */
  overAt?: number;
};

/** The sessions that ended, and the open one, as they are written. */
export function detectedOf(
  { vehicleId, capacityKwh }: { vehicleId: string; capacityKwh?: number },
  ended: readonly EndedSession[],
  open?: Session,
): DetectedSession[] {
  const detected = ended.map(({ session, overAt }) => ({
    vehicleId,
    ...summaryOf(session, capacityKwh),
    overAt,
  }));
  return open ? [...detected, { vehicleId, ...summaryOf(open, capacityKwh) }] : detected;
}

// Others are served between slices.
const sliceSize = 1_000;

/** Creates or overwrites detected sessions: one with the same beginning is the same, and keeps its id. */
export async function writeDetected(
  { tx, clock }: { tx: Queryable; clock: Clock },
  providerId: string,
  sessions: readonly DetectedSession[],
): Promise<void> {
  const now = clock.now();
  for (let from = 0; from < sessions.length; from += sliceSize) {
    const rows = sessions.slice(from, from + sliceSize).map(rowOf);
    await tx.query(upsertSessions, [providerId, JSON.stringify(rows), now]);
  }
}

function rowOf(session: DetectedSession) {
  return {
    vehicle_id: session.vehicleId,
    id: session.id,
    from_time: instantOf(session.from),
    from_level: session.fromLevel,
    to_time: session.to === undefined ? undefined : instantOf(session.to),
    to_level: session.toLevel,
    lat: session.location?.lat,
    lng: session.location?.lng,
    charged_kwh: session.chargedKwh,
    energy_basis: session.energyBasis,
    over_at: session.overAt === undefined ? undefined : instantOf(session.overAt),
  };
}

export function instantOf(time: number): string {
  return new Date(time).toISOString();
}

/** Of the detected sessions within a period, hides those that a record overlaps, and shows the others. */
export async function updateSuperseded(
  { tx, clock }: { tx: Queryable; clock: Clock },
  providerId: string,
  vehicleId: string,
  period: { from: string; to: string },
): Promise<void> {
  const values = [providerId, vehicleId, period.from, period.to, clock.now()];
  await tx.query(toggleSuperseded, values);
}

/** When a record ends. One without an end counts as a day, or it would hide all that comes after it. */
export function recordEnd(alias: string): string {
  // At UTC, where a day has 24 hours: only then the sum depends on no setting, as a distributed database demands.
  return `coalesce(${alias}.to_time, (${alias}.from_time at time zone 'UTC' + interval '24 hours') at time zone 'UTC')`;
}

/**
 * Those of `detected` that begin with a record, or before the end of one that began before their own. In one pass in the
 * order of time, as there may be many of both: of all records that began until then, the latest end tells.
 */
const overlapped = `
  moments as (
    select vehicle_id, from_time, coalesce(to_time, 'infinity') as moment, false as is_record, null::timestamptz as ends
    from detected
    union all
    select record.* from (select distinct vehicle_id from detected) vehicle
    cross join lateral (
      select record.vehicle_id, record.from_time, record.from_time, true, ${recordEnd('record')}
      from charging_sessions record
      where record.provider = $1 and record.vehicle_id = vehicle.vehicle_id and record.source = 'recorded' offset 0
    ) record
  ), overlapped as (
    select vehicle_id, from_time from (
      select *, bool_or(is_record) over (partition by vehicle_id, from_time) as begins_with_record,
        max(ends) over (partition by vehicle_id order by moment, is_record rows unbounded preceding) as latest_end
      from moments
    ) swept
    where not is_record and (begins_with_record or from_time < latest_end)
  )`;

const overlapsRecord =
  '((detected.vehicle_id, detected.from_time) in (select vehicle_id, from_time from overlapped))';

const isWithinPeriod = `
  provider = $1 and vehicle_id = $2 and source = 'telemetry' and from_time <= $4 and coalesce(to_time, 'infinity') >= $3`;

const toggleSuperseded = `
  with detected as (
    select vehicle_id, from_time, to_time from charging_sessions where ${isWithinPeriod}
  ), ${overlapped}
  update charging_sessions detected set superseded = not superseded, updated_at = $5
  where ${isWithinPeriod} and superseded <> ${overlapsRecord}`;

const summaryColumns = [
  'from_level',
  'to_time',
  'to_level',
  'lat',
  'lng',
  'charged_kwh',
  'energy_basis',
];
const columns = [...summaryColumns, 'over_at'].join(', ');

const rowOfColumns = (table: string, names: readonly string[]) =>
  `(${names.map((name) => `${table}.${name}`).join(', ')})`;
// A session that is detected again as it was keeps its version.
const compared = [...summaryColumns, 'superseded'];
const hasChanged = `${rowOfColumns('known', compared)} is distinct from ${rowOfColumns('excluded', compared)}`;

const upsertSessions = `
  with detected as (
    select * from jsonb_to_recordset($2::jsonb) as detected (
      vehicle_id text, id text, from_time timestamptz, from_level double precision,
      to_time timestamptz, to_level double precision, lat double precision, lng double precision,
      charged_kwh double precision, energy_basis text, over_at timestamptz)
  ), ${overlapped}
  insert into charging_sessions as known
    (provider, vehicle_id, id, source, from_time, ${columns}, superseded, created_at, updated_at)
  select $1, vehicle_id, coalesce(id, gen_random_uuid()::text), 'telemetry', from_time, ${columns},
    ${overlapsRecord}, $3::timestamptz, $3::timestamptz
  from detected
  on conflict (provider, vehicle_id, from_time) where source = 'telemetry'
    do update set (${columns}, superseded) = (
        excluded.${columns.replaceAll(', ', ', excluded.')}, excluded.superseded),
      version = case when ${hasChanged} then known.version + 1 else known.version end,
      updated_at = case when ${hasChanged} then excluded.updated_at else known.updated_at end`;
