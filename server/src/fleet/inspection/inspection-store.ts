import type { Queryable } from '../../platform/db/database.ts';
import type { ProviderRef } from '../../platform/http/operation.ts';
import { notFound } from '../../platform/http/problem.ts';
import { dateIn } from '../../platform/time/time-zone.ts';
import { type Profile, readProfile } from '../profile/public.ts';
import { basisOf, type Estimate } from './estimation/estimate.ts';
import { type FactsRow, factsColumns, factsOf, factsTables } from './facts-store.ts';

type InspectionRow = FactsRow & {
  version: number;
  updated_at: string;
  estimated_date: string | null;
  estimate: Omit<Estimate, 'estimatedDate'> | null;
  estimated_at: string | null;
};

/** The estimate of a vehicle, and the version of what is recorded; 404 without such a vehicle. */
export async function readInspection(
  db: Queryable,
  provider: ProviderRef,
  vehicleId: string,
  now: Date,
): Promise<{ inspection: object; version: number }> {
  const [row] = await db.query<InspectionRow>(selectInspection, [provider.id, vehicleId]);
  if (!row) throw notFound('vehicle');
  const { profile } = await readProfile(db, provider.id);
  const { version, updated_at: updatedAt } = row;
  const estimate = estimateOf(row, profile, now);
  return { inspection: { ...estimate, ...(version > 0 && { updatedAt }) }, version };
}

function estimateOf(row: InspectionRow, profile: Profile, now: Date): object {
  const { estimated_date: estimatedDate, estimate, estimated_at: estimatedAt } = row;
  if (estimate === null) {
    return {
      status: 'pending',
      basis: basisOf(factsOf(row, profile), dateIn(profile.timeZone, now)),
    };
  }
  return {
    status: estimatedDate === null ? 'unknown' : 'estimated',
    ...(estimatedDate !== null && { estimatedDate }),
    ...estimate,
    estimatedAt,
  };
}

const selectInspection = `
  select ${factsColumns}, i.estimated_date, i.estimate, i.estimated_at,
    coalesce(i.version, 0) as version, i.updated_at
  from ${factsTables} where v.provider = $1 and v.id = $2`;
