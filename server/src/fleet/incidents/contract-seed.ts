import type { ContractSeed } from '../../testing/contract/seed.ts';
import { letter } from '../../testing/documents/letter.ts';
import { exampleRequest } from './incident.ts';

// Empty in the incident, so that it can be taken.
const { description: _, ...request } = exampleRequest;

const lines = ['Description: the words of the statement', 'Cause: another one'];

export const seed: ContractSeed = {
  needs: ['vehicleId'],
  async create({ values: { vehicleId }, round, call }) {
    const { id: incidentId } = await call('POST', `/${vehicleId}/incidents`, request);
    const files = `/${vehicleId}/blobs/incidents/${incidentId}`;
    const { uuid: blobUuid } = await call('POST', files, { filename: 'statement.pdf' });
    // Those of later rounds have to be there, not to be read.
    const bytes = round === 1 ? await letter([lines]) : Buffer.from(`note ${round}`);
    await call('PUT', `${files}/${blobUuid}`, bytes);
    return { incidentId, blobUuid, field: 'description' };
  },
};
