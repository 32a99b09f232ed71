import { operation } from '../../platform/http/operation.ts';
import type { Dependencies } from '../dependencies.ts';
import { vehicleIdParameter } from '../vehicles/public.ts';
import { exampleInspection, InspectionSchema } from './inspection.ts';
import { readInspection } from './inspection-store.ts';

export const getInspection = operation({
  id: 'getInspection',
  method: 'GET',
  path: '/{vehicleId}/inspection',
  tag: 'Inspection',
  origin: 'motorpool',
  summary: 'Read the estimate of the next vehicle inspection',
  description:
    'Returns the estimated date with the rule that it follows, what it was made from and how sure it is; or why there is none.',
  parameters: vehicleIdParameter,
  responses: {
    200: {
      description: 'The estimate, and why.',
      schema: InspectionSchema,
      example: exampleInspection,
    },
  },
  notFound: ['vehicle'],
  async handler({ provider, parameters: { vehicleId } }, { db }: Dependencies) {
    return { status: 200, body: await readInspection(db, provider, vehicleId) };
  },
});
