import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Queryable } from '../../platform/db/database.ts';
import { startTestService, type TestService } from '../../testing/test-service.ts';
import {
  type DetectedSession,
  instantOf,
  updateSuperseded,
  writeDetected,
} from './session-store.ts';

const provider = 'DE-ABC';
const [vehicleId, otherId] = ['DE*ABC*S1', 'DE*ABC*S2'];
const clock = { now: () => new Date() };
const begin = Date.parse('2026-03-01T00:00:00Z');
const dayMs = 86_400_000;

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
  for (const id of [vehicleId, otherId]) await service.call('PUT', `/${id}`, { information: {} });
});
afterAll(() => service.stop());

type Period = { vehicleId: string; from: number; to: number | undefined };

class RolledBack extends Error {}

/** In a transaction that leaves nothing. */
async function inPassing(work: (tx: Queryable) => Promise<void>): Promise<void> {
  const done = service.db.transaction(async (tx) => {
    await work(tx);
    throw new RolledBack();
  });
  await expect(done).rejects.toBeInstanceOf(RolledBack);
}

async function record(tx: Queryable, periods: readonly Period[]): Promise<void> {
  const rows = periods.map(({ vehicleId, from, to }) => ({
    vehicle_id: vehicleId,
    from_time: instantOf(from),
    to_time: to === undefined ? undefined : instantOf(to),
  }));
  await tx.query(
    `insert into charging_sessions (provider, vehicle_id, id, source, from_time, to_time, energy_basis, created_at, updated_at)
     select $1, vehicle_id, gen_random_uuid()::text, 'recorded', from_time, to_time, 'measured', now(), now()
     from jsonb_to_recordset($2::jsonb) as r (vehicle_id text, from_time timestamptz, to_time timestamptz)`,
    [provider, JSON.stringify(rows)],
  );
}

const detectedOf = ({ vehicleId, from, to }: Period): DetectedSession => ({
  vehicleId,
  from,
  ...(to !== undefined && { to }),
  energyBasis: 'estimated',
});

const keyOf = ({ vehicleId, from }: { vehicleId: string; from: number }) => `${vehicleId} ${from}`;

async function superseded(tx: Queryable): Promise<string[]> {
  const rows = await tx.query<{ vehicle_id: string; from_time: string }>(
    `select vehicle_id, from_time from charging_sessions where provider = $1 and source = 'telemetry' and superseded`,
    [provider],
  );
  return rows
    .map((row) => keyOf({ vehicleId: row.vehicle_id, from: Date.parse(row.from_time) }))
    .sort();
}

function overlaps(record: Period, { from, to = Number.POSITIVE_INFINITY }: Period): boolean {
  const { to: end = record.from + dayMs } = record;
  return record.from === from || (record.from < to && from < end);
}

// Few moments, so that many are equal; a session of a vehicle begins at a moment of its own.
const period = fc
  .record({
    vehicleId: fc.constantFrom(vehicleId, otherId),
    start: fc.integer({ min: 0, max: 20 }),
    length: fc.option(fc.integer({ min: 0, max: 5 }), { nil: undefined, freq: 6 }),
  })
  .map(({ vehicleId, start, length }) => {
    const from = begin + (start * dayMs) / 4;
    return { vehicleId, from, to: length === undefined ? undefined : from + (length * dayMs) / 4 };
  });

test('detected sessions are superseded that overlap a record of their vehicle, and no others', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(period, { maxLength: 6 }),
      fc.uniqueArray(period, { selector: keyOf, maxLength: 12 }),
      async (records, sessions) => {
        const expected = sessions
          .filter((session) =>
            records.some((one) => one.vehicleId === session.vehicleId && overlaps(one, session)),
          )
          .map(keyOf)
          .sort();
        await inPassing(async (tx) => {
          await record(tx, records);
          await writeDetected({ tx, clock }, provider, sessions.map(detectedOf));
          expect(await superseded(tx)).toEqual(expected);
        });
        await inPassing(async (tx) => {
          await writeDetected({ tx, clock }, provider, sessions.map(detectedOf));
          await record(tx, records);
          const all = { from: instantOf(begin), to: instantOf(begin + 100 * dayMs) };
          for (const id of [vehicleId, otherId])
            await updateSuperseded({ tx, clock }, provider, id, all);
          expect(await superseded(tx)).toEqual(expected);
        });
      },
    ),
    { numRuns: 60 },
  );
});

type Plan = {
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  'Rows Removed by Join Filter'?: number;
  Plans?: Plan[];
};

/** The rows that a plan has gone through. */
function visitedRows(plan: Plan): number {
  const { Plans: parts = [] } = plan;
  const removed =
    (plan['Rows Removed by Filter'] ?? 0) + (plan['Rows Removed by Join Filter'] ?? 0);
  const own = (plan['Actual Rows'] + removed) * plan['Actual Loops'];
  return own + parts.map(visitedRows).reduce((sum, rows) => sum + rows, 0);
}

test('of many sessions and many records of a vehicle, each is gone through a few times', async () => {
  if (service.db.isSharded) return;
  const count = 1_000;
  const periods = (offset: number) =>
    Array.from({ length: count }, (_, index) => {
      const from = begin + (2 * index + offset) * 3_600_000;
      return { vehicleId, from, to: from + 1_800_000 };
    });
  const visited: number[] = [];
  await inPassing(async (tx) => {
    await record(tx, periods(0));
    const explaining: Queryable = {
      ...tx,
      async query(text, values) {
        const [row] = await tx.queryUnprepared<{ 'QUERY PLAN': [{ Plan: Plan }] }>(
          `explain (analyze, format json) ${text}`,
          values,
        );
        visited.push(row ? visitedRows(row['QUERY PLAN'][0].Plan) : Number.NaN);
        return [];
      },
    };
    const context = { tx: explaining, clock };
    await writeDetected(context, provider, periods(1).map(detectedOf));
    const all = { from: instantOf(begin), to: instantOf(begin + 1_000 * dayMs) };
    await updateSuperseded(context, provider, vehicleId, all);
  });
  expect(visited).toHaveLength(2);
  expect(Math.max(...visited)).toBeLessThan(20 * count);
});
