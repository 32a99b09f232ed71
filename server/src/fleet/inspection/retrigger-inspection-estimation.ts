import Type from 'typebox';
import { operation } from '../../platform/http/operation.ts';
import type { Dependencies } from '../dependencies.ts';
import { requireVehicle, vehicleIdParameter } from '../vehicles/public.ts';
import { estimateInspection } from './estimate-jobs.ts';

export const retriggerInspectionEstimation = operation({
  id: 'retriggerInspectionEstimation',
  method: 'PATCH',
  path: '/{vehicleId}/inspection',
  tag: 'Inspection',
  role: 'editor',
  origin: 'interface',
  summary: 'Retrigger the vehicle inspection date estimation',
  description:
    'Has the date of the next inspection estimated anew, soon after the answer. Repeats while an estimation waits join it. ' +
    'There is no body.',
  parameters: vehicleIdParameter,
  responses: {
    202: {
      description: 'The estimation was triggered.',
      schema: Type.Object(
        { status: Type.Enum(['triggered'], { type: 'string' }) },
        { $id: 'InspectionEstimationTriggered', additionalProperties: false },
      ),
      example: { status: 'triggered' },
    },
  },
  notFound: ['vehicle'],
  async handler({ provider, parameters: { vehicleId } }, { db, jobs }: Dependencies) {
    await db.transaction(async (tx) => {
      await requireVehicle(tx, provider, vehicleId, 'for key share');
      await jobs.add(tx, estimateInspection, { provider: provider.id, vehicleId });
    });
    return { status: 202, body: { status: 'triggered' } };
  },
});
