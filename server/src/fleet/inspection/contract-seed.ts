import type { ContractSeed } from '../../testing/contract/seed.ts';
import { exampleRequest } from './inspection.ts';

export const seed: ContractSeed = {
  needs: ['vehicleId'],
  async create({ values: { vehicleId }, call }) {
    await call('PUT', `/${vehicleId}/inspection`, exampleRequest);
    const { items } = await call('GET', `/${vehicleId}/maintenance`);
    const planned = items.find(({ source }: { source: string }) => source === 'inspection');
    return { inspectionReportId: planned.id };
  },
};
