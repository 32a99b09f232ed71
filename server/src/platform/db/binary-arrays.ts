/**
 * Columns of many rows as array parameters for `unnest`, in PostgreSQL's binary format. Plain arrays, which the driver
 * encodes as text, would do as well: docs/decisions/0014-telemetry.md.
 */

/** Null for a column without values: `unnest` fills it with nulls to the length of the others. */
export function columnArray(
  type: string,
  values: readonly (number | boolean | string | undefined)[],
): Buffer | string | null {
  if (values.every((value) => value === undefined)) return null;
  switch (type) {
    case 'boolean':
      return binaryArray(type, values as (boolean | undefined)[], values.length, writeBoolean);
    case 'double precision':
      return binaryArray(type, values as (number | undefined)[], 8 * values.length, writeNumber);
    case 'jsonb':
      return jsonArray(values as (string | undefined)[]);
    case 'text':
      return textArray(values as (string | undefined)[]);
    default:
      return `{${values.map((value) => value ?? 'NULL').join(',')}}`;
  }
}

export function textArray(values: readonly (string | undefined)[]): Buffer {
  const maxBytes = 3 * values.reduce((sum, value) => sum + (value?.length ?? 0), 0);
  return binaryArray('text', values, maxBytes, writeText);
}

function jsonArray(values: readonly (string | undefined)[]): Buffer {
  const maxBytes = values.reduce((sum, value) => sum + 1 + 3 * (value?.length ?? 0), 0);
  return binaryArray('jsonb', values, maxBytes, writeJson);
}

/** From times in milliseconds. */
export function instantArray(times: readonly (number | undefined)[]): Buffer {
  return binaryArray('timestamptz', times, 8 * times.length, writeInstant);
}

/** The array parameters of the columns, numbered from `first`: `$2::text[], $3::boolean[]`. */
export function typedArrays(columns: readonly { type: string }[], first: number): string {
  return columns.map(({ type }, index) => `$${first + index}::${type}[]`).join(', ');
}

const oids = { boolean: 16, text: 25, 'double precision': 701, timestamptz: 1_184, jsonb: 3_802 };
const headerBytes = 20;

/** Writes a value at an offset; returns its number of bytes. */
type Write<Value> = (target: Buffer, value: Value, at: number) => number;

function binaryArray<Value>(
  type: keyof typeof oids,
  values: readonly (Value | undefined)[],
  maxBytes: number,
  write: Write<Value>,
): Buffer {
  const target = Buffer.allocUnsafe(headerBytes + 4 * values.length + maxBytes);
  let at = 0;
  // One dimension, nulls allowed, element type, length, lower bound.
  for (const field of [1, 1, oids[type], values.length, 1]) at = target.writeInt32BE(field, at);
  for (const value of values) {
    const written = value === undefined ? -1 : write(target, value, at + 4);
    target.writeInt32BE(written, at);
    at += 4 + Math.max(0, written);
  }
  return target.subarray(0, at);
}

const writeText: Write<string> = (target, value, at) => target.write(value, at);

/** The version of the format, and the text. */
const writeJson: Write<string> = (target, value, at) => {
  target.writeUInt8(1, at);
  return 1 + target.write(value, at + 1);
};

const writeNumber: Write<number> = (target, value, at) => target.writeDoubleBE(value, at) - at;

const writeBoolean: Write<boolean> = (target, value, at) =>
  target.writeUInt8(value ? 1 : 0, at) - at;

const year2000Ms = Date.UTC(2000, 0, 1);

/** Microseconds since 2000-01-01, as a 64-bit integer. */
const writeInstant: Write<number> = (target, time, at) => {
  const microseconds = (time - year2000Ms) * 1_000;
  const high = Math.floor(microseconds / 2 ** 32);
  target.writeInt32BE(high, at);
  target.writeUInt32BE(microseconds - high * 2 ** 32, at + 4);
  return 8;
};
