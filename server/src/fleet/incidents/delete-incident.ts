import { operation } from '../../platform/http/operation.ts';
import type { Dependencies } from '../dependencies.ts';
import { deleteWithBlobs } from '../files/public.ts';
import { changedMeanwhile, ifMatchHeader, incidentParameters } from './incident.ts';
import { incidentKey, isIncident, lockIncident } from './incident-store.ts';

export const deleteIncident = operation({
  id: 'deleteIncident',
  method: 'DELETE',
  path: '/{vehicleId}/incidents/{incidentId}',
  tag: 'Incidents',
  role: 'editor',
  origin: 'motorpool',
  summary: 'Delete an incident',
  description: 'Deletes the incident, its damages and its files. A second call answers 404.',
  parameters: incidentParameters,
  requestHeaders: ifMatchHeader,
  responses: { 204: { description: 'The incident is deleted.' } },
  notFound: ['vehicle', 'incident'],
  problems: changedMeanwhile,
  async handler({ provider, parameters, header }, dependencies: Dependencies) {
    const { incidentId } = parameters;
    await deleteWithBlobs(dependencies, provider, 'incidents', incidentId, async (tx) => {
      await lockIncident(tx, provider, parameters, header('if-match'));
      await tx.query(
        `delete from incidents where ${isIncident}`,
        incidentKey(provider, parameters),
      );
    });
    return { status: 204 };
  },
});
