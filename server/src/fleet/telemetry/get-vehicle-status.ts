import Type, { type TSchema } from 'typebox';
import type { Lookup } from '../../platform/db/lookup-batcher.ts';
import { operation } from '../../platform/http/operation.ts';
import { notFound } from '../../platform/http/problem.ts';
import { columnOf } from '../../platform/search/schema-field.ts';
import type { Dependencies } from '../dependencies.ts';
import { timeColumnOf, vehicleIdParameter, vehicleTables } from '../vehicles/public.ts';
import { type ExtraValue, extraNames, extraValue, maxExtraSignals } from './extra-signals.ts';
import {
  type SignalName,
  selectedSignals,
  signalNames,
  signalProperties,
  signalsOf,
} from './signals.ts';

const measured = <Value extends TSchema>(value: Value) =>
  Type.Object(
    {
      value,
      measuredAt: Type.Optional(
        Type.String({
          format: 'date-time',
          description: 'When it was measured; absent when an import brought it without a time.',
        }),
      ),
    },
    { additionalProperties: false },
  );

const SignalsSchema = Type.Object(
  Object.fromEntries(
    signalNames.map((name) => [name, Type.Optional(measured(signalProperties[name]))]),
  ),
  { additionalProperties: false, description: 'The newest known value of each signal.' },
);

const ReadStatusSchema = Type.Object(
  {
    lastUpdated: Type.Optional(
      Type.String({ format: 'date-time', description: 'When the newest signal was measured.' }),
    ),
    signals: SignalsSchema,
    extra: Type.Unsafe<Record<string, unknown>>({
      type: 'object',
      maxProperties: maxExtraSignals,
      propertyNames: extraNames,
      additionalProperties: measured(extraValue),
      description: 'The further signals, by their names.',
    }),
    doubtful: Type.Optional(
      Type.Object(
        { odometer: measured(signalProperties.odometer) },
        {
          additionalProperties: false,
          description:
            'A newer reading of the odometer that fell or leapt: it is not believed until a later one agrees with it.',
        },
      ),
    ),
  },
  { $id: 'ReadVehicleStatus', additionalProperties: false },
);

export const getVehicleStatus = operation({
  id: 'getVehicleStatus',
  method: 'GET',
  path: '/{vehicleId}/status',
  tag: 'Databox',
  role: 'viewer',
  origin: 'motorpool',
  summary: 'Read the signals of a vehicle',
  description:
    'Returns the newest known value of every signal, and when it was measured: each has its own time. A signal that is not known is ' +
    'left out. Of the odometer it is the last reading that is not in doubt.',
  parameters: vehicleIdParameter,
  responses: {
    200: {
      description: 'The signals that are known.',
      schema: ReadStatusSchema,
      example: {
        lastUpdated: '2026-11-15T08:30:00.000Z',
        signals: {
          odometer: { value: 45_210, measuredAt: '2026-11-15T08:30:00.000Z' },
          speed: { value: 87, measuredAt: '2026-11-15T08:29:30.000Z' },
        },
        extra: { oilTemperature: { value: 92.5, measuredAt: '2026-11-15T08:15:00.000Z' } },
      },
    },
  },
  notFound: ['vehicle'],
  async handler({ provider, parameters }, { db }: Dependencies) {
    const row = await db.lookup<StatusRow>(statusById, [provider.id, parameters.vehicleId]);
    if (!row) throw notFound('vehicle');
    return { status: 200, body: statusOf(row) };
  },
});

type StatusRow = Record<string, unknown> & {
  last_updated: string | null;
  extra: Record<string, { value: ExtraValue; time: number }> | null;
  doubted_odometer: number | null;
  doubted_odometer_at: string | null;
};

function statusOf(row: StatusRow) {
  const values = signalsOf(row, signalNames);
  const known = signalNames.filter((name) => values[name] !== undefined);
  const { last_updated, doubted_odometer, doubted_odometer_at } = row;
  return {
    ...(last_updated !== null && { lastUpdated: last_updated }),
    signals: Object.fromEntries(
      known.map((name) => [name, measuredOf(values[name], row[timeOf(name)])]),
    ),
    extra: Object.fromEntries(
      Object.entries(row.extra ?? {}).map(([name, { value, time }]) => [
        name,
        measuredOf(value, new Date(time).toISOString()),
      ]),
    ),
    ...(isDoubted(row) && {
      doubtful: { odometer: measuredOf(doubted_odometer, doubted_odometer_at) },
    }),
  };
}

/** The previous release writes newer readings without judging them, and an import may bring one. */
function isDoubted({ doubted_odometer_at, odometer_at }: StatusRow): boolean {
  if (doubted_odometer_at === null) return false;
  return typeof odometer_at !== 'string' || odometer_at < doubted_odometer_at;
}

function measuredOf(value: unknown, measuredAt: unknown) {
  return { value, ...(typeof measuredAt === 'string' && { measuredAt }) };
}

function timeOf(signal: SignalName): string {
  return timeColumnOf(columnOf(signal));
}

const statusById: Lookup = {
  text: `
    select s.last_updated, s.extra, s.doubted_odometer, s.doubted_odometer_at,
      ${selectedSignals(signalNames, 's')}, ${signalNames.map((name) => `s.${timeOf(name)}`).join(', ')}
    from ${vehicleTables}
    where v.provider = $1 and v.id = $2`,
  parameters: ['text', 'text'],
};
