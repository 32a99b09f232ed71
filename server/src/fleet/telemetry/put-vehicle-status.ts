import Type from 'typebox';
import type { Queryable } from '../../platform/db/database.ts';
import { operation, type ProviderRef } from '../../platform/http/operation.ts';
import { permits } from '../../platform/http/principal.ts';
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
  hasSignals,
  readMessage,
  StatusMessageSchema,
  signalIssues,
  timeIssue,
} from './message.ts';
import {
  DoubtfulSchema,
  IgnoredSchema,
  IssuesSchema,
  outcomes,
  positionNotKept,
  unrevealed,
  unrevealing,
  vehicleInactive,
} from './result.ts';
import { statusFeedOf } from './status-feed.ts';

export const putVehicleStatus = operation({
  id: 'putVehicleStatus',
  method: 'PUT',
  path: '/{vehicleId}/status',
  tag: 'Databox',
  role: 'databox',
  origin: 'motorpool',
  summary: 'Send the status of a vehicle',
  description:
    'Receives what was measured at one time: any of the signals. Every signal has its own time, so a message that ' +
    'comes late fills what is older or missing and never overwrites what is newer; of two values for the very same time the ' +
    'greater stays. All but the booleans of doors, windows and lights, the range and the next service is also added to the history. ' +
    'The result is `accepted` when one of its signals is the current one now, `stale` when newer values of all of them ' +
    'were known, and `duplicate` when it contained nothing new. The position of a vehicle whose `trackGeolocation` is false is ' +
    'not stored: the response names it in `ignored`. A signal that cannot be true, such as a tyre of 240 bar or a position of 0/0, is not ' +
    'stored either, which `errors` says, and the others are. An odometer that falls, or leaps by more than 300 km/h, is stored in the ' +
    'history alone and named in `doubtful`: the status keeps the last one that is not in doubt, until a later reading agrees. ' +
    unrevealed,
  parameters: vehicleIdParameter,
  body: {
    schema: StatusMessageSchema,
    required: true,
    rules: signalIssues,
    examples: { parked: { summary: 'Parked', value: exampleStatusMessage } },
  },
  responses: {
    200: {
      description:
        'The result of the message; and the status after it, for a caller who may read: one of the role `databox` may not.',
      schema: Type.Object(
        {
          result: Type.Enum([...outcomes], { type: 'string' }),
          errors: Type.Optional(IssuesSchema),
          ignored: Type.Optional(IgnoredSchema),
          doubtful: Type.Optional(DoubtfulSchema),
          status: Type.Optional(StatusSchema),
        },
        { $id: 'PutVehicleStatusResponse', additionalProperties: false },
      ),
      example: { result: 'accepted', status: exampleVehicle.status },
    },
  },
  notFound: ['vehicle'],
  problems: {
    409: 'The vehicle is deactivated; or the message has nothing but a position, and positions of this vehicle are not stored.',
  },
  async handler(
    { provider, parameters: { vehicleId }, body, caller },
    { db, events, clock, settings }: Dependencies,
  ) {
    const { reading, implausible } = readMessage(body);
    const wrongTime = timeIssue(reading.time, settings.historyDays, clock.now().getTime());
    if (wrongTime) {
      // Not a fault of the body alone but of the clock: a missing vehicle comes first.
      await requireVehicle(db, provider, vehicleId);
      throw invalidBody([{ pointer: '/timestamp', detail: wrongTime.detail }]);
    }
    if (implausible.length > 0 && !hasSignals(reading.signals)) {
      await requireVehicle(db, provider, vehicleId);
      throw invalidBody(implausible);
    }
    const reported: string[] = [];
    const answer = await db.transaction(async (tx) => {
      const [done] = await ingest({ tx, events, reported }, provider, [{ vehicleId, ...reading }]);
      if (!done || (done.result === 'rejected' && done.reason === 'unknown_vehicle')) {
        throw notFound('vehicle');
      }
      if (done.result === 'rejected' && done.reason === 'inactive_vehicle') {
        throw new Problem(409, 'vehicle-inactive', 'The vehicle is deactivated', {
          detail: vehicleInactive,
        });
      }
      if (done.result === 'rejected') {
        throw new Problem(409, 'position-not-kept', 'The position is not stored', {
          detail: positionNotKept,
        });
      }
      const errors = implausible.length > 0 ? { errors: implausible } : {};
      const mayRead = permits(caller().roles, 'viewer');
      const status = mayRead ? await statusOf(tx, provider, vehicleId) : undefined;
      const told = mayRead ? done : unrevealing(done);
      return { status: 200 as const, body: { ...told, ...errors, ...(status && { status }) } };
    });
    statusFeedOf(db).note(provider.id, reported);
    return answer;
  },
});

async function statusOf(
  tx: Queryable,
  provider: ProviderRef,
  vehicleId: string,
): Promise<Vehicle['status'] | undefined> {
  const vehicle = await readVehicle(tx, provider, vehicleId);
  return (JSON.parse(vehicle?.item ?? '{}') as Partial<Vehicle>).status;
}
