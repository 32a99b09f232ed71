import { type Field, fieldsOf } from '../../platform/search/field.ts';
import {
  columnOf,
  fieldTypeOf,
  type PropertySchema,
  type SqlType,
  sqlTypeOf,
} from '../../platform/search/schema-field.ts';
import { VehicleSchema } from './vehicle.ts';

/** The columns that do not follow from the schema. Every other field has a column of its name in `v`, or `s` (the status). */
const exceptions: Record<string, Partial<Field>> = {
  'asset.assetProviderCountryCode': { column: "split_part(v.provider, '-', 1)" },
  'asset.assetProviderCode': { column: "split_part(v.provider, '-', 2)" },
  // A position is known when its latitude is.
  'status.location': { column: 's.lat' },
  'status.odometer': { bucketColumn: 's.odometer_bucket' },
};

function schemaFields(schema: PropertySchema, parent: string, alias: 'v' | 's'): Field[] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, property]) => {
    const path = `${parent}.${name}`;
    const column = `${alias}.${columnOf(name)}`;
    const field = { path, type: fieldTypeOf(property), column, ...exceptions[path] };
    return [field, ...schemaFields(property, path, alias)];
  });
}

const { asset, information, status } = VehicleSchema.properties;

/** Every field of a vehicle, in the order of its schema. */
export const vehicleFields: readonly Field[] = [
  ...schemaFields(asset as PropertySchema, 'asset', 'v'),
  ...schemaFields(information as PropertySchema, 'information', 'v'),
  ...schemaFields(status as PropertySchema, 'status', 's'),
];

/** In the SQL of search fields: the time of the search, which is bound as $2. */
export const searchTime = '$2::timestamptz';

/**
 * What a search also knows, though it is not in the answer: when asset and information were last written, and how
 * long ago a message was last received. A vehicle that never sent one is staler than any bound.
 */
export const vehicleSearchFields: readonly Field[] = [
  ...vehicleFields,
  ...fieldsOf({
    updatedAt: ['date-time', 'v.updated_at'],
    'status.staleSeconds': [
      'number',
      `coalesce(extract(epoch from ${searchTime} - s.last_updated)::double precision, 'Infinity'::double precision)`,
    ],
  }),
];

/** The fields that have a value of their own. */
export const vehicleValueFields = vehicleFields.filter(({ type }) => type !== 'object');

/** All of a vehicle, a column per field, named by the field's path. */
export const vehicleColumns = vehicleValueFields
  .map(({ path, column }) => `${column} as "${path}"`)
  .join(', ');

export const vehicleTables =
  'vehicles v left join vehicle_statuses s on s.provider = v.provider and s.vehicle_id = v.id';

export type VehicleRow = Record<string, unknown>;

export type Column = { path: string; name: string; type: SqlType };

/** The columns of one table that a vehicle is written to, its key aside. */
export function writtenColumns(alias: 'v' | 's'): Column[] {
  return vehicleValueFields
    .filter(({ column }) => column.startsWith(`${alias}.`) && column !== 'v.id')
    .map(({ path, type, column }) => ({ path, name: column.slice(2), type: sqlTypeOf(type) }));
}

/** The column of a status with the time at which the value of another one was measured. */
export function timeColumnOf(column: string): string {
  return column === 'lat' || column === 'lng' ? 'location_at' : `${column}_at`;
}
