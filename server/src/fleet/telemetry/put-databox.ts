import Type from 'typebox';
import type { Queryable } from '../../platform/db/database.ts';
import { etagOf, requireConditions } from '../../platform/http/etag.ts';
import { locationOf } from '../../platform/http/location.ts';
import { operation, type ProviderRef } from '../../platform/http/operation.ts';
import { invalidPath, Problem } from '../../platform/http/problem.ts';
import type { Dependencies } from '../dependencies.ts';
import { requireVehicle } from '../vehicles/public.ts';
import {
  conditionFailed,
  conditionHeaders,
  type DataboxRow,
  DataboxSchema,
  databoxColumns,
  databoxOf,
  etagHeader,
  exampleDatabox,
  serialParameter,
} from './databox.ts';

export const putDatabox = operation({
  id: 'putDatabox',
  method: 'PUT',
  path: '/databoxes/{serial}',
  tag: 'Databox',
  role: 'editor',
  origin: 'motorpool',
  summary: 'Pair a box with a vehicle',
  description:
    'From now on the messages of the box are those of the vehicle. A box that was paired with another vehicle changes over: what it ' +
    'measured before then and sends later is rejected, as it is of the other vehicle. A vehicle has at most one box.',
  parameters: serialParameter,
  requestHeaders: conditionHeaders,
  body: {
    schema: Type.Object(
      {
        vehicleId: Type.String({
          maxLength: 200,
          description: 'The vehicle that it is installed in.',
        }),
      },
      { $id: 'DataboxRequest', additionalProperties: false },
    ),
    required: true,
    examples: {
      pairing: { summary: 'A pairing', value: { vehicleId: exampleDatabox.vehicleId } },
    },
  },
  responses: {
    200: {
      description: 'The pairing, changed or as it was.',
      schema: DataboxSchema,
      example: exampleDatabox,
      headers: etagHeader,
    },
    201: {
      description: 'The pairing, new.',
      schema: DataboxSchema,
      example: exampleDatabox,
      headers: { Location: 'The path of the pairing.', ...etagHeader },
    },
  },
  notFound: ['vehicle'],
  problems: { ...conditionFailed, 409: 'The vehicle has another box already.' },
  async handler(
    { provider, parameters, header, body: { vehicleId } },
    { db, clock }: Dependencies,
  ) {
    const { serial } = parameters;
    return db.transaction(async (tx) => {
      // Serialised: the second of two concurrent pairings sees the first.
      await requireVehicle(tx, provider, vehicleId, 'for no key update');
      requireSerial(serial);
      await requireNoOther(tx, provider, vehicleId, serial);
      const values = [provider.id, serial, vehicleId, clock.now()];
      const [row] = (await tx.query<Written>(upsertDatabox, values)) as [Written];
      requireConditions(header, row.created ? undefined : row.version - 1);
      const headers = { etag: etagOf(row.version) };
      const body = databoxOf(row);
      if (!row.created) return { status: 200, headers, body };
      const location = locationOf(provider, 'databoxes', serial);
      return { status: 201, headers: { ...headers, location }, body };
    });
  },
});

type Written = DataboxRow & { created: boolean };

function requireSerial(serial: string): void {
  if (/^[A-Za-z0-9._-]{1,64}$/.test(serial)) return;
  const detail = 'serial must have 1 to 64 letters, digits or any of . _ -.';
  throw invalidPath([{ pointer: '#serial', detail }]);
}

async function requireNoOther(
  tx: Queryable,
  provider: ProviderRef,
  vehicleId: string,
  serial: string,
): Promise<void> {
  const [other] = await tx.query<{ serial: string }>(
    'select serial from databoxes where provider = $1 and vehicle_id = $2 and serial <> $3',
    [provider.id, vehicleId, serial],
  );
  if (!other) return;
  throw new Problem(409, 'vehicle-paired', 'The vehicle has another box', {
    detail: `The vehicle is paired with the box ${other.serial}: end that pairing first.`,
  });
}

const upsertDatabox = `
  insert into databoxes as d (provider, serial, vehicle_id, paired_at, created_at, updated_at)
  values ($1, $2, $3, $4, $4, $4)
  on conflict (provider, serial) do update set
    version = d.version + 1, updated_at = excluded.updated_at, vehicle_id = excluded.vehicle_id,
    paired_at = case when d.vehicle_id = excluded.vehicle_id then d.paired_at else excluded.paired_at end
  returning ${databoxColumns}, (xmax = 0) as created`;
