import { etagOf } from '../../platform/http/etag.ts';
import { operation } from '../../platform/http/operation.ts';
import type { Dependencies } from '../dependencies.ts';
import { vehicleIdParameter } from '../vehicles/public.ts';
import { etagHeader, exampleInspection, InspectionSchema } from './inspection.ts';
import { readInspection } from './inspection-store.ts';

export const getInspection = operation({
  id: 'getInspection',
  method: 'GET',
  path: '/{vehicleId}/inspection',
  tag: 'Inspection',
  role: 'viewer',
  origin: 'motorpool',
  summary: 'Read the estimate of the next vehicle inspection',
  description:
    'Returns the estimated date with the rule that it follows, what it was made from and how sure it is; or why there is none. ' +
    'The ETag names the state of what is recorded: a new estimate does not change it.',
  parameters: vehicleIdParameter,
  responses: {
    200: {
      description: 'The estimate, and why.',
      schema: InspectionSchema,
      example: exampleInspection,
      headers: etagHeader,
    },
  },
  notFound: ['vehicle'],
  async handler({ provider, parameters: { vehicleId } }, { db, clock }: Dependencies) {
    const { inspection, version } = await readInspection(db, provider, vehicleId, clock.now());
    return { status: 200, headers: { etag: etagOf(version) }, body: inspection };
  },
});
