import type { TSchema } from 'typebox';

const changeKinds = ['created', 'updated', 'deleted'] as const;
export type ChangeKind = (typeof changeKinds)[number];

/** The events of one kind of record. The triggers of migration 026 append them; this is how they are read. */
export type RecordEvents = {
  /** The first part of their types: `vehicle` in `vehicle.updated.v1`. */
  type: string;
  /** The name of their schema. */
  name: string;
  description: string;
  kinds: readonly ChangeKind[];
  /** Whose rows the record is stored as, and its alias in `columns`. */
  table: string;
  alias: string;
  /** In SQL: the columns that `resource` takes. `image.state` has the record as JSON. */
  columns: string;
  resource(row: never, context: { providerId: string }): unknown;
  /** Where the record is read, below the base of the provider. */
  subject(recordId: string, vehicleId: string | null): string;
  schema: TSchema;
  example: unknown;
};

/** Infers the type of the rows, and erases it for the list. */
export function recordEvents<Row>(
  definition: Omit<RecordEvents, 'resource' | 'kinds'> & {
    kinds?: readonly ChangeKind[];
    resource(row: Row, context: { providerId: string }): unknown;
  },
): RecordEvents {
  return { kinds: changeKinds, ...definition } as RecordEvents;
}

/** The path of a record of a vehicle. */
export function ofVehicle(segment: string) {
  return (recordId: string, vehicleId: string | null) => `/${vehicleId}/${segment}/${recordId}`;
}
