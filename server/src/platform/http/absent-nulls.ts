import type { TSchema } from 'typebox';
import { memoizeByIdentity } from '../memoize-by-identity.ts';
import { compileSchema } from './validation.ts';

type ObjectSchema = {
  properties?: Record<string, TSchema>;
  required?: readonly string[];
  items?: TSchema;
};

/**
 * Recursively removes optional properties that are null, which many clients send for absent values, unless the
 * schema allows null. Returns whether any was removed.
 */
export function removeNulls(schema: TSchema, value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const { properties = {}, required = [], items } = schema as ObjectSchema;
  let removed = false;
  if (Array.isArray(value)) {
    for (const element of value) if (items && removeNulls(items, element)) removed = true;
    return removed;
  }
  const object = value as Record<string, unknown>;
  for (const name of Object.keys(object)) {
    const property = Object.hasOwn(properties, name) ? properties[name] : undefined;
    if (!property) continue;
    if (object[name] !== null) {
      if (removeNulls(property, object[name])) removed = true;
    } else if (!required.includes(name) && !allowsNull(property)) {
      delete object[name];
      removed = true;
    }
  }
  return removed;
}

const allowsNull = memoizeByIdentity((schema: TSchema) => compileSchema(schema)(null).length === 0);
