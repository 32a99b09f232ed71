import { randomUUID } from 'node:crypto';
import Type from 'typebox';
import type { Database } from '../../platform/db/database.ts';
import type { ProviderRef } from '../../platform/http/operation.ts';
import { exampleVehicle, StatusSchema, statusItem, vehicleTables } from '../vehicles/public.ts';
import { type CloudEvent, eventSchema, sourceOf, vehicleid } from './cloud-event.ts';

export const statusType = 'vehicle.status.v1';

export const StatusEventSchema = eventSchema(
  'VehicleStatus',
  [statusType],
  { vehicleid },
  Type.Object({ resource: StatusSchema }, { additionalProperties: false }),
);

export const exampleStatusEvent = {
  specversion: '1.0',
  id: '7d1f5b3c-28e4-4c9a-b6d0-1e2f3a4b5c6d',
  source: '/api/fleets/v1/DE/ABC',
  type: statusType,
  subject: `/${exampleVehicle.asset.id}`,
  time: '2026-11-15T08:30:00.412Z',
  datacontenttype: 'application/json',
  vehicleid: exampleVehicle.asset.id,
  data: { resource: exampleVehicle.status },
} satisfies CloudEvent;

/** So many are read in one statement, and serialized in one turn of the event loop. */
const batchSize = 200;

/** The statuses of vehicles, as they are now, in batches. */
export async function* readStatusEvents(
  db: Database,
  provider: ProviderRef,
  vehicleIds: readonly string[],
): AsyncGenerator<(CloudEvent & { vehicleid: string })[]> {
  for (let from = 0; from < vehicleIds.length; from += batchSize) {
    const ids = vehicleIds.slice(from, from + batchSize);
    const rows = await db.query<{ id: string; status: string }>(selectStatuses, [provider.id, ids]);
    yield rows.map(({ id, status }) => ({
      specversion: '1.0',
      id: randomUUID(),
      source: sourceOf(provider),
      type: statusType,
      subject: `/${id}`,
      time: new Date().toISOString(),
      datacontenttype: 'application/json',
      vehicleid: id,
      data: { resource: JSON.parse(status) },
    }));
  }
}

const selectStatuses = `
  select v.id, ${statusItem} as status from ${vehicleTables}
  where v.provider = $1 and v.id = any($2::text[])`;
