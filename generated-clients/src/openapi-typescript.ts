import createClient from 'openapi-fetch';
import type { paths } from '../.generated/openapi-typescript.d.ts';
import {
  credentials,
  file,
  incident,
  incidentSearch,
  provider,
  run,
  vehicleSearch,
} from './scenario.ts';

const fleet = '/api/fleets/v1/{assetProviderCountryCode}/{assetProviderCode}';

await run((baseUrl, token) => {
  const client = createClient<paths>({ baseUrl });
  client.use({
    onRequest({ request, schemaPath }) {
      if (schemaPath.startsWith(fleet)) request.headers.set('authorization', `Bearer ${token()}`);
    },
  });
  const ofIncident = (vehicleId: string, incidentId: string) => ({
    path: { ...provider, vehicleId, incidentId },
  });
  return {
    requestToken: async () =>
      dataOf(
        await client.POST('/realms/{realm}/protocol/openid-connect/token', {
          params: { path: { realm: 'DE-ABC' } },
          body: credentials,
          bodySerializer: (body) => new URLSearchParams(body as Record<string, string>),
          headers: { 'content-type': 'application/x-www-form-urlencoded' },
        }),
      ),
    findVehicles: async () => {
      const path = `${fleet}/vehicles` as const;
      const answer = await client.POST(path, { params: { path: provider }, body: vehicleSearch });
      return dataOf(answer).items.map(({ asset }) => asset.id);
    },
    createIncident: async (vehicleId) =>
      dataOf(
        await client.POST(`${fleet}/{vehicleId}/incidents`, {
          params: { path: { ...provider, vehicleId } },
          body: incident,
        }),
      ),
    findVehicleIncidents: async (vehicleId) =>
      dataOf(
        await client.POST(`${fleet}/{vehicleId}/incidents/search`, {
          params: { path: { ...provider, vehicleId } },
          body: incidentSearch,
        }),
      ).items,
    countOpenIncidents: async (vehicleId) => {
      const query = { isResolved: false, pageSize: 1 };
      const params = { path: { ...provider, vehicleId }, query };
      return dataOf(await client.GET(`${fleet}/{vehicleId}/incidents`, { params })).items.length;
    },
    updateIncident: async (vehicleId, incidentId) =>
      dataOf(
        await client.PUT(`${fleet}/{vehicleId}/incidents/{incidentId}`, {
          params: ofIncident(vehicleId, incidentId),
          body: { ...incident, title: 'Scratch, repaired', isResolved: true },
        }),
      ),
    announceFile: async (vehicleId, incidentId) =>
      dataOf(
        await client.POST(`${fleet}/{vehicleId}/blobs/incidents/{incidentId}`, {
          params: ofIncident(vehicleId, incidentId),
          body: file,
        }),
      ),
    uploadFile: async (vehicleId, incidentId, blobUuid, bytes) =>
      dataOf(
        await client.PUT(`${fleet}/{vehicleId}/blobs/incidents/{incidentId}/{blobUuid}`, {
          params: { path: { ...provider, vehicleId, incidentId, blobUuid } },
          body: bytes as unknown as string,
          bodySerializer: (body) => body as unknown as Blob,
        }),
      ).uploaded,
    downloadFile: async (vehicleId, incidentId, blobUuid) =>
      dataOf(
        await client.GET(`${fleet}/{vehicleId}/blobs/incidents/{incidentId}/{blobUuid}`, {
          params: { path: { ...provider, vehicleId, incidentId, blobUuid } },
          parseAs: 'arrayBuffer',
        }),
      ),
  };
});

function dataOf<Data>({ data, error }: { data?: Data; error?: unknown }): Data {
  if (data === undefined) throw new Error(JSON.stringify(error));
  return data;
}
