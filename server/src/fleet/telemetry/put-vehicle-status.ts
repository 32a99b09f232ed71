import Type from 'typebox';
import { operation } from '../../platform/http/operation.ts';
import { invalidBody, notFound, Problem } from '../../platform/http/problem.ts';
import type { Dependencies } from '../dependencies.ts';
import {
  exampleVehicle,
  readVehicle,
  requireVehicle,
  StatusSchema,
  type Vehicle,
  vehicleIdParameter,
} from '../vehicles/public.ts';
import { ingest } from './ingest.ts';
import {
  exampleStatusMessage,
  readingOf,
  StatusMessageSchema,
  signalIssues,
  timeIssue,
} from './message.ts';
import { IgnoredSchema, outcomes, positionNotKept } from './result.ts';

export const putVehicleStatus = operation({
  id: 'putVehicleStatus',
  method: 'PUT',
  path: '/{vehicleId}/status',
  tag: 'Databox',
  origin: 'motorpool',
  summary: 'Tell the status of a vehicle',
  description:
    'Takes what was measured at one moment: any of the signals. Every signal keeps its own time, so a message that ' +
    'comes late fills what is older or missing and never overwrites what is newer; of two values for the very same moment the ' +
    'greater stays. Odometer, level, position and what tells of charging also go into the history. ' +
    'The result is `accepted` when one of its signals is the current one now, `stale` when newer values of all of them ' +
    'were known, and `duplicate` when it told nothing new. The position of a vehicle whose `trackGeolocation` is false is ' +
    'not kept: the answer names it in `ignored`.',
  parameters: vehicleIdParameter,
  body: {
    schema: StatusMessageSchema,
    required: true,
    rules: signalIssues,
    examples: { parked: { summary: 'Parked', value: exampleStatusMessage } },
  },
  responses: {
    200: {
      description: 'What became of the message, and the status now.',
      schema: Type.Object(
        {
          result: Type.Enum([...outcomes], { type: 'string' }),
          ignored: Type.Optional(IgnoredSchema),
          status: StatusSchema,
        },
        { $id: 'PutVehicleStatusResponse', additionalProperties: false },
      ),
      example: { result: 'accepted', status: exampleVehicle.status },
    },
  },
  notFound: ['vehicle'],
  problems: {
    409: 'The message has nothing but a position, and positions of this vehicle are not kept.',
  },
  async handler(
    { provider, parameters: { vehicleId }, body },
    { db, events, clock, settings }: Dependencies,
  ) {
    const reading = readingOf(body);
    const wrongTime = timeIssue(reading.time, settings.historyDays, clock.now().getTime());
    if (wrongTime) {
      // It is the clock that finds it wrong, not the body: so the vehicle is looked for first.
      await requireVehicle(db, provider, vehicleId);
      throw invalidBody([{ pointer: '/timestamp', detail: wrongTime.detail }]);
    }
    return db.transaction(async (tx) => {
      const [done] = await ingest({ tx, events }, provider, [{ vehicleId, ...reading }]);
      if (!done || (done.result === 'rejected' && done.reason === 'unknown_vehicle')) {
        throw notFound('vehicle');
      }
      if (done.result === 'rejected') {
        throw new Problem(409, 'position-not-kept', 'The position is not kept', {
          detail: positionNotKept,
        });
      }
      const vehicle = await readVehicle(tx, provider, vehicleId);
      const { status } = JSON.parse(vehicle?.item ?? '{}') as Partial<Vehicle>;
      return { status: 200, body: { ...done, status } };
    });
  },
});
