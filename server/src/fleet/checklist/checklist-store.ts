import type { Queryable } from '../../platform/db/database.ts';
import type { ProviderRef } from '../../platform/http/operation.ts';
import { uuidParameter } from '../../platform/http/path-parameter.ts';
import { Problem } from '../../platform/http/problem.ts';
import { requireUuid } from '../../platform/http/require-uuid.ts';
import type { Clock } from '../../platform/time/clock.ts';
import { toMilliseconds } from '../../platform/time/instant.ts';
import { requireVehicle, vehicleIdParameter } from '../vehicles/public.ts';
import {
  type ChecklistEntryRequest,
  exampleEntry,
  maxEntriesOfVehicle,
  maxPosition,
} from './checklist-entry.ts';
import { type ChecklistRow, checklistColumns } from './checklist-fields.ts';

/** The path parameters of every operation on one entry. */
export const entryParameters = {
  ...vehicleIdParameter,
  checklistEntryId: uuidParameter('The id of the checklist entry.', exampleEntry.id),
};

/** The key of an entry, as the values of $1, $2 and $3. */
export function entryKey(
  provider: ProviderRef,
  { vehicleId, checklistEntryId }: Record<keyof typeof entryParameters, string>,
): string[] {
  return [provider.id, vehicleId, requireUuid(checklistEntryId, 'checklist entry')];
}

const writtenColumns = {
  title: 'text',
  type: 'text',
  options: 'text[]',
  required: 'boolean',
  result: 'text',
  value: 'jsonb',
  comment: 'text',
  customer_country_code: 'text',
  customer_provider_code: 'text',
  customer_id: 'uuid',
  performed_at: 'timestamptz',
  due_date: 'date',
};
const writtenNames = Object.keys(writtenColumns);

/** The columns of a request as a JSON record; what it leaves out is null. */
const recordColumns = Object.entries({ position: 'integer', ...writtenColumns })
  .map(([name, type]) => `${name} ${type}`)
  .join(', ');

function recordOf(request: ChecklistEntryRequest) {
  const { customer, performedAt, dueDate, required = false, ...rest } = request;
  return {
    ...rest,
    required,
    customer_country_code: customer?.mobilityProviderCountryCode,
    customer_provider_code: customer?.mobilityProviderCode,
    customer_id: customer?.customerId,
    performed_at: performedAt === undefined ? undefined : toMilliseconds(performedAt),
    due_date: dueDate,
  };
}

type WriteContext = { tx: Queryable; clock: Clock };

/** Adds entries to the checklist of a vehicle; those without a position come last, in their order. */
export async function addEntries(
  { tx, clock }: WriteContext,
  provider: ProviderRef,
  vehicleId: string,
  requests: readonly ChecklistEntryRequest[],
): Promise<ChecklistRow[]> {
  // Serializes concurrent calls: no two append at the same position, nor past the limit together.
  await requireVehicle(tx, provider, vehicleId, 'for no key update');
  const rows = await tx.query<ChecklistRow>(insertEntries, [
    provider.id,
    vehicleId,
    JSON.stringify(requests.map(recordOf)),
    maxPosition,
    clock.now(),
    maxEntriesOfVehicle - requests.length,
  ]);
  if (rows.length < requests.length)
    throw new Problem(409, 'too-many-checklist-entries', 'There are too many checklist entries', {
      detail: `A vehicle has at most ${maxEntriesOfVehicle}: delete some first.`,
    });
  return rows.sort((a, b) => a.position - b.position);
}

const insertEntries = `
  insert into checklist_entries as e
    (provider, vehicle_id, position, ordinal, created_at, updated_at, ${writtenNames.join(', ')})
  select $1, $2, coalesce(r.position, least(list.length + r.ordinality - 1, $4)),
    list.next_ordinal + r.ordinality - 1, $5::timestamptz, $5::timestamptz,
    ${writtenNames.map((name) => `r.${name}`).join(', ')}
  from rows from (jsonb_to_recordset($3::jsonb) as (${recordColumns})) with ordinality r,
    (
      select coalesce(max(position) + 1, 0) as length, coalesce(max(ordinal) + 1, 0) as next_ordinal,
        count(*) as entries
      from checklist_entries
      where provider = $1 and vehicle_id = $2
    ) list
  where list.entries <= $6
  order by r.ordinality
  returning ${checklistColumns}`;

/** Overwrites an entry; without a position in the request it keeps its own. */
export async function overwriteEntry(
  { tx, clock }: WriteContext,
  key: readonly string[],
  request: ChecklistEntryRequest,
): Promise<ChecklistRow | undefined> {
  const [row] = await tx.query<ChecklistRow>(updateEntry, [
    ...key,
    JSON.stringify(recordOf(request)),
    clock.now(),
  ]);
  return row;
}

const updateEntry = `
  update checklist_entries e
  set version = e.version + 1, updated_at = $5, position = coalesce(r.position, e.position),
    ${writtenNames.map((name) => `${name} = r.${name}`).join(', ')}
  from jsonb_to_recordset(jsonb_build_array($4::jsonb)) r (${recordColumns})
  where e.provider = $1 and e.vehicle_id = $2 and e.id = $3
  returning ${checklistColumns}`;
