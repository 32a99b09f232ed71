import Type, { type Static } from 'typebox';
import {
  columnOf,
  fieldTypeOf,
  type PropertySchema,
  type SqlType,
  sqlTypeOf,
} from '../../platform/search/schema-field.ts';
import { millisecondsOf } from '../../platform/time/instant.ts';
import { StatusSchema, timeColumnOf } from '../vehicles/public.ts';
import type { Extra } from './extra-signals.ts';

const { lastUpdated: _, ...statusSignals } = StatusSchema.properties;

/** The bounds are those of a plausible value. */
function number(description: string, [minimum, maximum]: [number, number], example: number) {
  return Type.Optional(Type.Number({ minimum, maximum, description, examples: [example] }));
}

/** Everything that a vehicle can report: its status, and more. A position is one signal. */
export const signalProperties = {
  ...statusSignals,
  stateOfCharge: number(
    'State of charge of the traction battery in percent. Where a vehicle without a tank does not report it, `fuelLevel` is it.',
    [0, 100],
    74,
  ),
  energyMeter: number(
    'The total energy charged, in kWh, as the vehicle counts it. Only its differences are used.',
    [0, 10_000_000],
    1_204.5,
  ),
  speed: number('Speed in km/h.', [0, 400], 87),
  heading: number('Direction of travel in degrees, clockwise from north.', [0, 360], 271.5),
  altitude: number('Altitude above sea level in m.', [-500, 9_000], 34),
  outsideTemperature: number('Outside temperature in °C.', [-90, 80], -3.5),
  batteryVoltage: number('Voltage of the on-board battery in V.', [0, 1_500], 12.6),
  fuelConsumed: number(
    'The total fuel consumed, in litres, as the vehicle counts it.',
    [0, 10_000_000],
    3_120.4,
  ),
};

const SignalsSchema = Type.Object(signalProperties);
type NamedSignals = Static<typeof SignalsSchema>;
export type SignalName = keyof NamedSignals;
export type Signals = NamedSignals & { extra?: Extra };

/** When each signal was measured. One whose time is not known is older than any message. */
export type SignalTimes = Partial<Record<SignalName, number>>;

export const signalNames = Object.keys(signalProperties) as SignalName[];

/** The signals that the history stores. */
export const historySignals = [
  'odometer',
  'fuelLevel',
  'stateOfCharge',
  'location',
  'isCharging',
  'isPluggedIn',
  'energyMeter',
  'speed',
  'heading',
  'altitude',
  'outsideTemperature',
  'batteryVoltage',
  'fuelConsumed',
] as const satisfies readonly SignalName[];

/** What was measured at one time, as far as the history stores it. */
export type Moment = Pick<Signals, (typeof historySignals)[number] | 'extra'>;

/** A column of a signal, the same in the status and in the history. */
export type SignalColumn = {
  name: string;
  type: SqlType | 'jsonb';
  of(signals: Signals): number | boolean | string | undefined;
};

/** The columns of signals; a position has two. */
export function signalColumns(signals: readonly SignalName[]): SignalColumn[] {
  return signals.flatMap((signal): SignalColumn[] => {
    if (signal === 'location') {
      const type = 'double precision';
      return [
        { name: 'lat', type, of: ({ location }) => location?.lat },
        { name: 'lng', type, of: ({ location }) => location?.lng },
      ];
    }
    const type = sqlTypeOf(fieldTypeOf(signalProperties[signal] as PropertySchema));
    return [{ name: columnOf(signal), type, of: (all) => all[signal] }];
  });
}

/** The columns of what few vehicles report. */
export const rareColumns: ReadonlySet<string> = new Set([
  'extra',
  'state_of_charge',
  'speed',
  'heading',
  'altitude',
  'outside_temperature',
  'battery_voltage',
  'fuel_consumed',
]);

/** What to select of a table, so that `signalsOf` can read it. */
export function selectedSignals(signals: readonly SignalName[], alias: string): string {
  return signals
    .map((signal) =>
      signal === 'location'
        ? `${alias}.lat, ${alias}.lng`
        : `${alias}.${columnOf(signal)} as "${signal}"`,
    )
    .join(', ');
}

/** The signals of a row; what is null is absent. */
export function signalsOf(row: Record<string, unknown>, signals: readonly SignalName[]): Signals {
  const known: Record<string, unknown> = {};
  for (const signal of signals) {
    const value = row[signal];
    if (value !== null && value !== undefined) known[signal] = value;
  }
  const { lat, lng } = row;
  if (typeof lat === 'number' && typeof lng === 'number') known.location = { lat, lng };
  return known;
}

/** What to select of a status, so that `timesOf` can read it: in milliseconds. */
export function selectedTimes(alias: string): string {
  return signalNames
    .map((signal) => `${millisecondsOf(`${alias}.${timeOf(signal)}`)} as ${timeOf(signal)}`)
    .join(', ');
}

/** In SQL: when the newest of all signals was measured, or nothing. */
export function newestTime(alias: string): string {
  return `greatest(${signalNames.map((signal) => `${alias}.${timeOf(signal)}`).join(', ')})`;
}

function timeOf(signal: SignalName): string {
  return timeColumnOf(columnOf(signal));
}

const timeColumns = signalNames.map((signal) => [signal, timeOf(signal)] as const);

/** When the signals of a row were measured; what is null is absent. */
export function timesOf(row: Record<string, unknown>): SignalTimes {
  const times: SignalTimes = {};
  for (const [signal, column] of timeColumns) {
    const time = row[column];
    if (typeof time === 'number') times[signal] = time;
  }
  return times;
}
