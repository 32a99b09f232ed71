import type { CallOptions, Motorpool } from '@motorpool/client';

/** Announces a file of an incident and uploads it; where that fails, none is left announced. */
export async function uploadIncidentFile(
  fleet: Motorpool,
  vehicleId: string,
  incidentId: string,
  file: File,
  options: CallOptions = {},
): Promise<void> {
  const { signal } = options;
  const announced = { filename: file.name, ...(file.type && { contentType: file.type }) };
  const { uuid } = await fleet.incidents.announceFile(vehicleId, incidentId, announced, {
    ...(signal && { signal }),
  });
  try {
    await fleet.incidents.uploadFile(vehicleId, incidentId, uuid, file, options);
  } catch (error) {
    await fleet.incidents.removeFile(vehicleId, incidentId, uuid).catch(() => undefined);
    throw error;
  }
}
