import { columnArray, instantArray, textArray } from '../../platform/db/binary-arrays.ts';
import type { SignalColumn, Signals } from './signals.ts';

/** Signals of one vehicle, measured at one time. */
export type SignalRow = { vehicleId: string; time: number; signals: Signals };

/** The same of many, a column an array, for `unnest` (docs/decisions/0014-telemetry.md). */
export type SignalArrays = {
  vehicleIds: Buffer;
  times: Buffer;
  of(columns: readonly SignalColumn[]): (Buffer | string | null)[];
};

/** Builds every array at most once, for all statements that need it. */
export function signalArrays(rows: readonly SignalRow[]): SignalArrays {
  const arrays = new Map<string, Buffer | string | null>();
  const arrayOf = ({ name, type, of }: SignalColumn) => {
    const array =
      arrays.get(name) ??
      columnArray(
        type,
        rows.map(({ signals }) => of(signals)),
      );
    arrays.set(name, array);
    return array;
  };
  return {
    vehicleIds: textArray(rows.map(({ vehicleId }) => vehicleId)),
    times: instantArray(rows.map(({ time }) => time)),
    of: (columns) => columns.map(arrayOf),
  };
}
