import { client } from '../.generated/hey-api/client.gen';
import * as sdk from '../.generated/hey-api/sdk.gen';
import {
  credentials,
  file,
  incident,
  incidentSearch,
  provider,
  run,
  vehicleSearch,
} from './scenario.ts';

await run((baseUrl, token) => {
  client.setConfig({ baseUrl, auth: () => token(), throwOnError: true });
  const throwOnError = true;
  const of = (vehicleId: string) => ({ ...provider, vehicleId });
  return {
    requestToken: async () =>
      (await sdk.requestToken({ path: { realm: 'DE-ABC' }, body: credentials, throwOnError })).data,
    findVehicles: async () => {
      const answer = await sdk.findVehicles({ path: provider, body: vehicleSearch, throwOnError });
      return answer.data.items.map(({ asset }) => asset.id);
    },
    createIncident: async (vehicleId) =>
      (await sdk.createIncident({ path: of(vehicleId), body: incident, throwOnError })).data,
    findVehicleIncidents: async (vehicleId) => {
      const sent = { path: of(vehicleId), body: incidentSearch, throwOnError } as const;
      return (await sdk.findVehicleIncidents(sent)).data.items;
    },
    countOpenIncidents: async (vehicleId) => {
      const query = { isResolved: false, pageSize: 1 };
      return (await sdk.listIncidents({ path: of(vehicleId), query, throwOnError })).data.items
        .length;
    },
    updateIncident: async (vehicleId, incidentId) => {
      const body = { ...incident, title: 'Scratch, repaired', isResolved: true };
      const path = { ...of(vehicleId), incidentId };
      return (await sdk.updateIncident({ path, body, throwOnError })).data;
    },
    announceFile: async (vehicleId, incidentId) => {
      const path = { ...of(vehicleId), incidentId };
      return (await sdk.announceIncidentFile({ path, body: file, throwOnError })).data;
    },
    uploadFile: async (vehicleId, incidentId, blobUuid, bytes) => {
      const path = { ...of(vehicleId), incidentId, blobUuid };
      return (await sdk.uploadIncidentFile({ path, body: bytes, throwOnError })).data.uploaded;
    },
    downloadFile: async (vehicleId, incidentId, blobUuid) => {
      const path = { ...of(vehicleId), incidentId, blobUuid };
      return (await sdk.downloadIncidentFile({ path, parseAs: 'blob', throwOnError })).data;
    },
  };
});
