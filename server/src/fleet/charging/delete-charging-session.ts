import { requireMatch } from '../../platform/http/etag.ts';
import { operation } from '../../platform/http/operation.ts';
import { notFound, Problem } from '../../platform/http/problem.ts';
import type { Dependencies } from '../dependencies.ts';
import { changedMeanwhile, ifMatchHeader, sessionParameters } from './charging-session.ts';
import { lockVehicle, readStored } from './charging-store.ts';
import { updateSuperseded } from './session-store.ts';

export const deleteChargingSession = operation({
  id: 'deleteChargingSession',
  method: 'DELETE',
  path: '/{vehicleId}/charging/{sessionId}',
  tag: 'Vehicles',
  role: 'editor',
  origin: 'motorpool',
  summary: 'Delete a recorded charging session',
  description:
    'Deletes a session that was recorded; what was detected in the telemetry of that time is returned again. A second call answers 404.',
  parameters: sessionParameters,
  requestHeaders: ifMatchHeader,
  responses: { 204: { description: 'The session is deleted.' } },
  notFound: ['vehicle', 'charging session'],
  problems: {
    ...changedMeanwhile,
    409: 'The session was detected in the telemetry, and would be detected again.',
  },
  async handler({ provider, parameters, header }, { db, clock }: Dependencies) {
    const { vehicleId, sessionId } = parameters;
    return db.transaction(async (tx) => {
      await lockVehicle(tx, provider, vehicleId);
      const session = await readStored(tx, provider, vehicleId, sessionId);
      if (!session || session.superseded) throw notFound('charging session');
      if (session.source === 'telemetry') throw detectedInTelemetry();
      requireMatch(header('if-match'), session.version);
      await tx.query(
        'delete from charging_sessions where provider = $1 and vehicle_id = $2 and id = $3',
        [provider.id, vehicleId, sessionId],
      );
      await updateSuperseded({ tx, clock }, provider.id, vehicleId, session);
      return { status: 204 };
    });
  },
});

function detectedInTelemetry(): Problem {
  return new Problem(409, 'found-in-telemetry', 'The session was detected in the telemetry', {
    detail:
      'It would be detected again. PUT a session under this id to correct it, or leave it as it is.',
  });
}
