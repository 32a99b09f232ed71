import { recordEvents } from '../record-events.ts';
import type { Estimate } from './estimation/estimate.ts';
import { exampleInspection, InspectionSchema } from './inspection.ts';

type EstimatedRow = {
  version: number;
  updated_at: string;
  estimated_date: string | null;
  estimate: Omit<Estimate, 'estimatedDate'>;
  estimated_at: string;
};

export const inspectionEvents = recordEvents<EstimatedRow>({
  type: 'inspection',
  name: 'Inspection',
  description: 'The estimate of the next inspection, with what is recorded as its basis.',
  table: 'inspections',
  alias: 'i',
  columns: 'i.version, i.updated_at, i.estimated_date, i.estimate, i.estimated_at',
  resource: ({ version, updated_at, estimated_date, estimate, estimated_at }) => ({
    status: estimated_date === null ? 'unknown' : 'estimated',
    ...(estimated_date !== null && { estimatedDate: estimated_date }),
    ...estimate,
    estimatedAt: estimated_at,
    ...(version > 0 && { updatedAt: updated_at }),
  }),
  subject: (vehicleId) => `/${vehicleId}/inspection`,
  schema: InspectionSchema,
  example: exampleInspection,
});
