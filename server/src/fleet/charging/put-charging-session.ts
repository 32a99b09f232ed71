import { etagOf, requireConditions } from '../../platform/http/etag.ts';
import { locationOf } from '../../platform/http/location.ts';
import { operation } from '../../platform/http/operation.ts';
import { invalidPath } from '../../platform/http/problem.ts';
import { toMilliseconds } from '../../platform/time/instant.ts';
import type { Dependencies } from '../dependencies.ts';
import { type ChargingRow, chargingColumns, sessionOf } from './charging-fields.ts';
import {
  type ChargingSessionRequest,
  ChargingSessionRequestSchema,
  conditionFailed,
  conditionHeaders,
  etagHeader,
  exampleReadSession,
  exampleRequest,
  ReadChargingSessionSchema,
  sessionParameters,
  timeIssues,
} from './charging-session.ts';
import { lockVehicle, readStored } from './charging-store.ts';
import { copyDetected, readDetected, recordEnd, updateSuperseded } from './session-store.ts';

export const putChargingSession = operation({
  id: 'putChargingSession',
  method: 'PUT',
  path: '/{vehicleId}/charging/{sessionId}',
  tag: 'Vehicles',
  role: 'editor',
  origin: 'motorpool',
  summary: 'Record or overwrite a charging session',
  description:
    'Stores what a charging station, a charge card or a person knows of a session, under an id of the client’s choice. What the ' +
    'body leaves out is cleared. A session that was detected in the telemetry is not returned as long as a recorded one overlaps it; ' +
    'one without toDatetime counts as a day for that. Under the id of a detected session, the record takes its place.',
  parameters: sessionParameters,
  requestHeaders: conditionHeaders,
  body: {
    schema: ChargingSessionRequestSchema,
    required: true,
    rules: timeIssues,
    examples: {
      ended: { summary: 'A session of a charging station', value: exampleRequest },
      running: {
        summary: 'One that has just begun',
        value: { fromDatetime: exampleRequest.fromDatetime, fromSoC: exampleRequest.fromSoC },
      },
    },
  },
  responses: {
    200: {
      description: 'The session, overwritten.',
      schema: ReadChargingSessionSchema,
      example: exampleReadSession,
      headers: etagHeader,
    },
    201: {
      description: 'The session, new.',
      schema: ReadChargingSessionSchema,
      example: exampleReadSession,
      headers: { Location: 'The path of the session.', ...etagHeader },
    },
  },
  notFound: ['vehicle'],
  problems: conditionFailed,
  async handler({ provider, parameters, header, body }, { db, clock }: Dependencies) {
    const { vehicleId, sessionId } = parameters;
    return db.transaction(async (tx) => {
      const { keepsPosition } = await lockVehicle(tx, provider, vehicleId);
      requireId(sessionId);
      const key = [provider.id, vehicleId, sessionId] as const;
      const previous = await readStored(tx, provider, vehicleId, sessionId);
      // A superseded session does not exist for a client.
      const replaced = previous?.superseded ? undefined : previous?.version;
      requireConditions(header, replaced);
      const detected = previous?.source === 'telemetry' ? await readDetected(tx, key) : undefined;
      const values = [...key, ...valuesOf(body, keepsPosition), clock.now()];
      const [row] = (await tx.query<Written>(upsertSession, values)) as [Written];
      // Its row, which invoices may be linked to, is the record's now. It is returned again when the record is deleted.
      if (detected) await copyDetected({ tx, clock }, provider.id, detected);
      await updateSuperseded({ tx, clock }, provider.id, vehicleId, {
        from: row.from_time,
        to: row.end,
      });
      if (previous) await updateSuperseded({ tx, clock }, provider.id, vehicleId, previous);
      const headers = { etag: etagOf(row.version) };
      if (replaced !== undefined) return { status: 200, headers, body: sessionOf(row) };
      const location = locationOf(provider, vehicleId, 'charging', sessionId);
      return { status: 201, headers: { ...headers, location }, body: sessionOf(row) };
    });
  },
});

type Written = ChargingRow & { end: string };

function requireId(sessionId: string): void {
  if (/^[A-Za-z0-9._:-]{1,100}$/.test(sessionId)) return;
  const detail = 'sessionId must have 1 to 100 letters, digits or any of . _ : -.';
  throw invalidPath([{ pointer: '#sessionId', detail }]);
}

const writtenColumns = [
  ['from_time', 'timestamptz'],
  ['from_level', 'double precision'],
  ['to_time', 'timestamptz'],
  ['to_level', 'double precision'],
  ['lat', 'double precision'],
  ['lng', 'double precision'],
  ['charged_kwh', 'double precision'],
  ['energy_basis', 'text'],
] as const;

/** The values of those columns; what the request leaves out is cleared. */
function valuesOf(request: ChargingSessionRequest, keepsPosition: boolean): unknown[] {
  const { fromDatetime, fromSoC, toDatetime, toSoC, chargedKWh } = request;
  const location = keepsPosition ? request.location : undefined;
  return [
    toMilliseconds(fromDatetime),
    fromSoC ?? null,
    toDatetime === undefined ? null : toMilliseconds(toDatetime),
    toSoC ?? null,
    location?.latitude ?? null,
    location?.longitude ?? null,
    chargedKWh ?? null,
    request.energyBasis ?? 'measured',
  ];
}

const names = writtenColumns.map(([name]) => name).join(', ');
const placeholders = writtenColumns.map(([, type], index) => `$${index + 4}::${type}`).join(', ');
const time = `$${writtenColumns.length + 4}::timestamptz`;

const upsertSession = `
  insert into charging_sessions as s (provider, vehicle_id, id, source, ${names}, created_at, updated_at)
  values ($1, $2, $3, 'recorded', ${placeholders}, ${time}, ${time})
  on conflict (provider, vehicle_id, id)
    do update set version = s.version + 1, updated_at = excluded.updated_at,
      source = excluded.source, superseded = false, over_at = null,
      ${writtenColumns.map(([name]) => `${name} = excluded.${name}`).join(', ')}
  returning ${chargingColumns}, ${recordEnd('s')} as end`;
