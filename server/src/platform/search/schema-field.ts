import type { FieldType } from './field.ts';

/** The part of a schema that determines how its values are stored and searched. */
export type PropertySchema = {
  type?: string;
  format?: string;
  properties?: Record<string, PropertySchema>;
};

const fieldTypes: Record<string, FieldType> = {
  'string uuid': 'uuid',
  'string date': 'date',
  'string date-time': 'date-time',
  'string uri-reference': 'text',
  string: 'text',
  number: 'number',
  integer: 'number',
  boolean: 'boolean',
  object: 'object',
};

export function fieldTypeOf({ type, format }: PropertySchema): FieldType {
  const kind = [type, format].filter(Boolean).join(' ');
  const found = fieldTypes[kind];
  if (!found) throw new Error(`No field can hold a value of the schema "${kind}".`);
  return found;
}

export type SqlType = 'text' | 'uuid' | 'double precision' | 'boolean' | 'date' | 'timestamptz';

const sqlTypes: Record<Exclude<FieldType, 'object'>, SqlType> = {
  text: 'text',
  uuid: 'uuid',
  number: 'double precision',
  boolean: 'boolean',
  date: 'date',
  'date-time': 'timestamptz',
};

export function sqlTypeOf(type: FieldType): SqlType {
  if (type === 'object') throw new Error('An object is kept in the columns of its properties.');
  return sqlTypes[type];
}

/** The column of a property: `licensePlate` is stored in `license_plate`. */
export function columnOf(property: string): string {
  return property.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
