import * as api from '../.generated/orval/client';
import { credentials, file, incident, incidentSearch, run, vehicleSearch } from './scenario.ts';

// The address is the one that orval.config.ts names.
await run((_url, token) => {
  const authorized = () => ({ headers: { authorization: `Bearer ${token()}` } });
  const provider = ['DE', 'ABC'] as const;
  return {
    requestToken: async () => dataOf(await api.requestToken('DE-ABC', credentials), 200),
    findVehicles: async () => {
      const answer = await api.findVehicles(...provider, vehicleSearch, authorized());
      return dataOf(answer, 200).items.map(({ asset }) => asset.id);
    },
    createIncident: async (vehicleId) =>
      dataOf(await api.createIncident(...provider, vehicleId, incident, authorized()), 201),
    findVehicleIncidents: async (vehicleId) =>
      dataOf(
        await api.findVehicleIncidents(...provider, vehicleId, incidentSearch, authorized()),
        200,
      ).items,
    countOpenIncidents: async (vehicleId) => {
      const query = { isResolved: false, pageSize: 1 };
      const answer = await api.listIncidents(...provider, vehicleId, query, authorized());
      return dataOf(answer, 200).items.length;
    },
    updateIncident: async (vehicleId, incidentId) => {
      const body = { ...incident, title: 'Scratch, repaired', isResolved: true };
      return dataOf(
        await api.updateIncident(...provider, vehicleId, incidentId, body, authorized()),
        200,
      );
    },
    announceFile: async (vehicleId, incidentId) =>
      dataOf(
        await api.announceIncidentFile(...provider, vehicleId, incidentId, file, authorized()),
        201,
      ),
    uploadFile: async (vehicleId, incidentId, uuid, bytes) => {
      const path = [...provider, vehicleId, incidentId, uuid] as const;
      return dataOf(await api.uploadIncidentFile(...path, bytes, authorized()), 200).uploaded;
    },
    downloadFile: async (vehicleId, incidentId, uuid) => {
      const path = [...provider, vehicleId, incidentId, uuid] as const;
      return dataOf(await api.downloadIncidentFile(...path, authorized()), 200);
    },
  };
});

type Answer = { status: number; data: unknown };

function dataOf<Given extends Answer, Status extends Given['status']>(
  answer: Given,
  status: Status,
): Extract<Given, { status: Status }>['data'] {
  if (answer.status !== status) throw new Error(JSON.stringify(answer));
  return answer.data;
}
