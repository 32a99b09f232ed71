import assert from 'node:assert/strict';

export const provider = { assetProviderCountryCode: 'DE', assetProviderCode: 'ABC' } as const;

export const credentials = {
  grant_type: 'client_credentials',
  client_id: 'demo-client',
  client_secret: 'demo-secret',
} as const;

/** Without a page request, and with parts of one: none of it is required. */
export const vehicleSearch = {
  filters: [{ field: 'status.odometer', operator: 'gte' as const, value: 1 }],
  sorting: [{ field: 'information.vendor' }],
  pagination: { pageSize: 5 },
};

export const incident = { title: 'Scratch', vehicleOperable: true, isResolved: false };

export const incidentSearch = {
  filters: [
    { field: 'title', operator: 'in' as const, value: ['Scratch', 'Dent'] },
    { field: 'isResolved', value: false },
  ],
};

export const file = { filename: 'note.txt', contentType: 'text/plain' };

export type FoundIncident = { id: string; title: string };

/** What each generated client must be able to do. */
export type Client = {
  requestToken(): Promise<{ access_token: string; expires_in: number }>;
  /** The ids of a page of vehicles. */
  findVehicles(): Promise<(string | undefined)[]>;
  createIncident(vehicleId: string): Promise<FoundIncident>;
  findVehicleIncidents(vehicleId: string): Promise<FoundIncident[]>;
  /** By a list with plain parameters: `isResolved` and `pageSize`. */
  countOpenIncidents(vehicleId: string): Promise<number>;
  updateIncident(vehicleId: string, incidentId: string): Promise<FoundIncident>;
  announceFile(vehicleId: string, incidentId: string): Promise<{ uuid: string }>;
  uploadFile(vehicleId: string, incidentId: string, uuid: string, bytes: Blob): Promise<boolean>;
  downloadFile(vehicleId: string, incidentId: string, uuid: string): Promise<ArrayBuffer | Blob>;
};

export async function run(connect: (url: string, token: () => string) => Client): Promise<void> {
  const url = process.env.MOTORPOOL_URL;
  assert(url, 'MOTORPOOL_URL says where the service is');
  let token = '';
  const client = connect(url, () => token);
  const { access_token, expires_in } = await client.requestToken();
  assert.equal(expires_in, 300);
  token = access_token;

  const [vehicleId, ...others] = await client.findVehicles();
  assert(vehicleId);
  assert.equal(others.length, 4);

  const made = await client.createIncident(vehicleId);
  const found = await client.findVehicleIncidents(vehicleId);
  assert(found.some(({ id }) => id === made.id));
  assert.equal(await client.countOpenIncidents(vehicleId), 1);
  const updated = await client.updateIncident(vehicleId, made.id);
  assert.deepEqual([updated.id, updated.title], [made.id, 'Scratch, repaired']);
  const left = await client.findVehicleIncidents(vehicleId);
  assert(!left.some(({ id }) => id === made.id));

  const { uuid } = await client.announceFile(vehicleId, made.id);
  const bytes = new Uint8Array([0, 1, 2, 128, 254, 255]);
  assert.equal(await client.uploadFile(vehicleId, made.id, uuid, new Blob([bytes])), true);
  const downloaded = await client.downloadFile(vehicleId, made.id, uuid);
  const answered = downloaded instanceof Blob ? await downloaded.arrayBuffer() : downloaded;
  assert.deepEqual(new Uint8Array(answered), bytes);
}
