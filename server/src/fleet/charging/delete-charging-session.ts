import { requireMatch } from '../../platform/http/etag.ts';
import { operation } from '../../platform/http/operation.ts';
import { notFound, Problem } from '../../platform/http/problem.ts';
import type { Dependencies } from '../dependencies.ts';
import { changedMeanwhile, ifMatchHeader, sessionParameters } from './charging-session.ts';
import { lockVehicle, readPrevious } from './charging-store.ts';
import { supersede } from './session-store.ts';

export const deleteChargingSession = operation({
  id: 'deleteChargingSession',
  method: 'DELETE',
  path: '/{vehicleId}/charging/{sessionId}',
  tag: 'Vehicles',
  origin: 'motorpool',
  summary: 'Delete a recorded charging session',
  description:
    'Deletes a session that was recorded; what was found in the telemetry of that time is told again. A second call answers 404.',
  parameters: sessionParameters,
  requestHeaders: ifMatchHeader,
  responses: { 204: { description: 'The session is deleted.' } },
  notFound: ['vehicle', 'charging session'],
  problems: {
    ...changedMeanwhile,
    409: 'The session was found in the telemetry, and would be found again.',
  },
  async handler({ provider, parameters, header }, { db }: Dependencies) {
    const { vehicleId, sessionId } = parameters;
    return db.transaction(async (tx) => {
      await lockVehicle(tx, provider, vehicleId);
      const session = await readPrevious(tx, provider, vehicleId, sessionId);
      if (!session || session.superseded) throw notFound('charging session');
      if (session.source === 'telemetry') throw foundInTelemetry();
      requireMatch(header('if-match'), session.version);
      await tx.query(
        'delete from charging_sessions where provider = $1 and vehicle_id = $2 and id = $3',
        [provider.id, vehicleId, sessionId],
      );
      await supersede(tx, provider.id, vehicleId, session);
      return { status: 204 };
    });
  },
});

function foundInTelemetry(): Problem {
  return new Problem(409, 'found-in-telemetry', 'The session was found in the telemetry', {
    detail:
      'It would be found again. PUT a session under this id to correct it, or leave it as it is.',
  });
}
