import { columnArray, instantArray, textArray } from '../../platform/db/binary-arrays.ts';
import type { Queryable } from '../../platform/db/database.ts';
import { rareColumns, type SignalColumn, type Signals } from './signals.ts';

/** Signals of one vehicle, measured at one time. */
export type SignalRow = { vehicleId: string; time: number; signals: Signals };

/** The same of many, a column an array, for `unnest` (docs/decisions/0014-telemetry.md). */
export type SignalArrays = {
  vehicleIds: Buffer;
  times: Buffer;
  of(columns: readonly SignalColumn[]): (Buffer | string | null)[];
};

/** A statement for all columns, and one without those of rare signals, which costs less. */
export type SignalStatement = {
  all: { text: string; columns: SignalColumn[] };
  usual: { text: string; columns: SignalColumn[] };
  rareColumns: SignalColumn[];
};

export function signalStatement(
  columns: SignalColumn[],
  textOf: (columns: readonly SignalColumn[]) => string,
): SignalStatement {
  const usual = columns.filter(({ name }) => !rareColumns.has(name));
  return {
    all: { text: textOf(columns), columns },
    usual: { text: textOf(usual), columns: usual },
    rareColumns: columns.filter(({ name }) => rareColumns.has(name)),
  };
}

/** Executes a statement whose first parameters are the provider, the vehicles and the times. */
export async function executeFor(
  tx: Queryable,
  statement: SignalStatement,
  providerId: string,
  signals: SignalArrays,
): Promise<void> {
  const isUsual = signals.of(statement.rareColumns).every((array) => array === null);
  const { text, columns } = isUsual ? statement.usual : statement.all;
  await tx.query(text, [providerId, signals.vehicleIds, signals.times, ...signals.of(columns)]);
}

/** Builds every array at most once, for all statements that need it. */
export function signalArrays(rows: readonly SignalRow[]): SignalArrays {
  const arrays = new Map<string, Buffer | string | null>();
  const arrayOf = ({ name, type, of }: SignalColumn) => {
    const known = arrays.get(name);
    if (known !== undefined) return known;
    const array = columnArray(
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
