import { etagOf } from '../../platform/http/etag.ts';
import { operation } from '../../platform/http/operation.ts';
import { notFound } from '../../platform/http/problem.ts';
import type { Dependencies } from '../dependencies.ts';
import { requireVehicle } from '../vehicles/public.ts';
import { type ChargingRow, chargingColumns, sessionOf } from './charging-fields.ts';
import {
  etagHeader,
  exampleReadSession,
  ReadChargingSessionSchema,
  sessionParameters,
} from './charging-session.ts';

export const getChargingSession = operation({
  id: 'getChargingSession',
  method: 'GET',
  path: '/{vehicleId}/charging/{sessionId}',
  tag: 'Vehicles',
  role: 'viewer',
  origin: 'motorpool',
  summary: 'Read a charging session',
  description:
    'Returns one session of the vehicle, with what the history leaves out: on what the energy is based, where the session ' +
    'comes from, and when it last changed. The times of a detected session are those of messages: the more often a vehicle reports while it ' +
    'charges, the more exact they are. Late messages can still change it, under the same id. One that is superseded by a recorded session is not found.',
  parameters: sessionParameters,
  responses: {
    200: {
      description: 'The session.',
      schema: ReadChargingSessionSchema,
      example: exampleReadSession,
      headers: etagHeader,
    },
  },
  notFound: ['vehicle', 'charging session'],
  async handler({ provider, parameters: { vehicleId, sessionId } }, { db }: Dependencies) {
    const [row] = await db.query<ChargingRow>(selectSession, [provider.id, vehicleId, sessionId]);
    if (row) return { status: 200, headers: { etag: etagOf(row.version) }, body: sessionOf(row) };
    await requireVehicle(db, provider, vehicleId);
    throw notFound('charging session');
  },
});

const selectSession = `
  select ${chargingColumns} from charging_sessions s
  where s.provider = $1 and s.vehicle_id = $2 and s.id = $3 and not s.superseded`;
