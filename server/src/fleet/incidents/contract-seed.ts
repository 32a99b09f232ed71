import type { ContractSeed } from '../../testing/contract/seed.ts';
import { letter } from '../../testing/documents/letter.ts';
import { exampleRequest } from './incident.ts';

// Empty in the incident, so that it can be taken.
const { description: _, ...request } = exampleRequest;

export const seed: ContractSeed = {
  needs: ['vehicleId'],
  async create({ values: { vehicleId }, round, call }) {
    const { id: incidentId } = await call('POST', `/${vehicleId}/incidents`, request);
    const files = `/${vehicleId}/blobs/incidents/${incidentId}`;
    const { uuid: blobUuid } = await call('POST', files, { filename: 'statement.pdf' });
    const lines = [
      `Description: the words of statement ${round}`,
      `Cause: that of number ${round}`,
    ];
    await call('PUT', `${files}/${blobUuid}`, await letter([lines]));
    return { incidentId, blobUuid, field: 'description' };
  },
};
