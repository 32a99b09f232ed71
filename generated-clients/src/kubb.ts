import axios from 'axios';
import * as api from '../.generated/kubb/index.ts';
import { credentials, file, incident, incidentSearch, run, vehicleSearch } from './scenario.ts';

await run((baseURL, token) => {
  axios.defaults.baseURL = baseURL;
  const authorized = () => ({ baseURL, headers: { authorization: `Bearer ${token()}` } });
  const provider = ['DE', 'ABC'] as const;
  return {
    requestToken: () => api.requestToken('DE-ABC', credentials, {}, { baseURL }),
    findVehicles: async () => {
      const { items } = await api.findVehicles(...provider, vehicleSearch, {}, authorized());
      return items.map(({ asset }) => asset.id);
    },
    createIncident: (vehicleId) =>
      api.createIncident(...provider, vehicleId, incident, {}, authorized()),
    findVehicleIncidents: async (vehicleId) =>
      (await api.findVehicleIncidents(...provider, vehicleId, incidentSearch, {}, authorized()))
        .items,
    countOpenIncidents: async (vehicleId) => {
      const query = { isResolved: false, pageSize: 1 };
      return (await api.listIncidents(...provider, vehicleId, query, {}, authorized())).items
        .length;
    },
    updateIncident: (vehicleId, incidentId) => {
      const body = { ...incident, title: 'Scratch, repaired', isResolved: true };
      return api.updateIncident(...provider, vehicleId, incidentId, body, {}, authorized());
    },
    announceFile: (vehicleId, incidentId) =>
      api.announceIncidentFile(...provider, vehicleId, incidentId, file, {}, authorized()),
    uploadFile: async (vehicleId, incidentId, uuid, bytes) => {
      const path = [...provider, vehicleId, incidentId, uuid] as const;
      return (await api.uploadIncidentFile(...path, bytes, {}, authorized())).uploaded;
    },
    downloadFile: (vehicleId, incidentId, uuid) => {
      const config = { ...authorized(), responseType: 'arraybuffer' as const };
      return api.downloadIncidentFile(...provider, vehicleId, incidentId, uuid, {}, config);
    },
  };
});
