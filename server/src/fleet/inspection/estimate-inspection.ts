import type { Queryable } from '../../platform/db/database.ts';
import { job } from '../../platform/jobs/job.ts';
import { planMaintenance } from '../maintenance/plan-maintenance.ts';
import { estimateInspections } from './estimate-inspections.ts';

type Payload = { provider: string; vehicleId: string };

/** Estimates the next inspection of one vehicle, and plans it. */
export const estimateInspection = job({
  name: 'estimate-inspection',
  key: ({ provider, vehicleId }: Payload) => `${provider} ${vehicleId}`,
  async run({ provider, vehicleId }: Payload, { tx }: { tx: Queryable }) {
    await estimateInspections(tx, provider, [vehicleId]);
    await planMaintenance(tx, provider, [vehicleId]);
  },
});
