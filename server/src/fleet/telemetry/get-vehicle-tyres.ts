import Type, { type Static } from 'typebox';
import type { Lookup } from '../../platform/db/lookup-batcher.ts';
import { operation } from '../../platform/http/operation.ts';
import { notFound } from '../../platform/http/problem.ts';
import { columnOf } from '../../platform/search/schema-field.ts';
import type { Dependencies } from '../dependencies.ts';
import { timeColumnOf, vehicleIdParameter, vehicleTables } from '../vehicles/public.ts';
import type { SignalName } from './signals.ts';

const TyreSchema = Type.Object(
  {
    pressure: Type.Number({ description: 'Pressure in bar.' }),
    measuredAt: Type.Optional(
      Type.String({
        format: 'date-time',
        description: 'When it was measured; absent when an import brought it without a time.',
      }),
    ),
  },
  { $id: 'Tyre', additionalProperties: false },
);

const VehicleTyresSchema = Type.Object(
  {
    frontLeft: Type.Optional(TyreSchema),
    frontRight: Type.Optional(TyreSchema),
    rearLeft: Type.Optional(TyreSchema),
    rearRight: Type.Optional(TyreSchema),
  },
  { $id: 'VehicleTyres', additionalProperties: false },
);
type VehicleTyres = Static<typeof VehicleTyresSchema>;

const exampleTyres: VehicleTyres = {
  frontLeft: { pressure: 2.5, measuredAt: '2026-11-15T08:30:00.000Z' },
  frontRight: { pressure: 2.5, measuredAt: '2026-11-15T08:30:00.000Z' },
  rearLeft: { pressure: 2.4, measuredAt: '2026-11-15T08:15:00.000Z' },
};

export const getVehicleTyres = operation({
  id: 'getVehicleTyres',
  method: 'GET',
  path: '/{vehicleId}/tyres',
  tag: 'Databox',
  role: 'viewer',
  origin: 'motorpool',
  summary: 'Read the tyre pressures of a vehicle',
  description:
    'Returns the newest known pressure of each tyre, and when it was measured: each has its own time. A tyre whose pressure is ' +
    'not known is left out.',
  parameters: vehicleIdParameter,
  responses: {
    200: {
      description: 'The tyres whose pressure is known.',
      schema: VehicleTyresSchema,
      example: exampleTyres,
    },
  },
  notFound: ['vehicle'],
  async handler({ provider, parameters }, { db }: Dependencies) {
    const row = await db.lookup<TyresRow>(tyresById, [provider.id, parameters.vehicleId]);
    if (!row) throw notFound('vehicle');
    return { status: 200, body: tyresOf(row) };
  },
});

type Wheel = keyof VehicleTyres;

const signals: Record<Wheel, SignalName> = {
  frontLeft: 'tirePressureFrontLeft',
  frontRight: 'tirePressureFrontRight',
  rearLeft: 'tirePressureRearLeft',
  rearRight: 'tirePressureRearRight',
};
const wheels = Object.keys(signals) as Wheel[];

type TyresRow = Record<Wheel, number | null> & Record<`${Wheel}At`, string | null>;

function tyresOf(row: TyresRow): VehicleTyres {
  const tyres: VehicleTyres = {};
  for (const wheel of wheels) {
    const [pressure, measuredAt] = [row[wheel], row[`${wheel}At`]];
    if (pressure !== null) tyres[wheel] = { pressure, ...(measuredAt !== null && { measuredAt }) };
  }
  return tyres;
}

function columnsOf(wheel: Wheel): string {
  const column = columnOf(signals[wheel]);
  return `s.${column} as "${wheel}", s.${timeColumnOf(column)} as "${wheel}At"`;
}

const tyresById: Lookup = {
  text: `
    select ${wheels.map(columnsOf).join(', ')} from ${vehicleTables}
    where v.provider = $1 and v.id = $2`,
  parameters: ['text', 'text'],
};
