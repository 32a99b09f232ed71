import fc, { type Arbitrary } from 'fast-check';
import { nameOf, resolve, type Schema, searchFieldsOf } from './documented-operations.ts';

const named = new Map<string, Arbitrary<unknown>>();

/** Values that are valid by a schema of the document. `property` is the name that they have in an object. */
export function validValue(schema: Schema, property = ''): Arbitrary<unknown> {
  const name = nameOf(schema);
  if (name === undefined) return ofSchema(schema, property);
  const known = named.get(name) ?? ofSchema(resolve(schema));
  named.set(name, known);
  return known;
}

const comparisons = ['eq', 'ne', 'lt', 'lte', 'gt', 'gte'];

/** A filter whose value has, more often than not, the type of its field. */
function filterOf(filters: Schema): Arbitrary<unknown> {
  return fc.constantFrom(...searchFieldsOf(filters)).chain(({ field, schema }) => {
    const value = schema ? validValue(schema) : anyValue;
    const filter = (operators: string[], values: Arbitrary<unknown>) =>
      fc.record({
        field: fc.constant(field),
        operator: fc.constantFrom(...operators),
        value: values,
      });
    return fc.oneof(
      { weight: 4, arbitrary: filter(comparisons, value) },
      { weight: 2, arbitrary: filter(['in', 'notIn'], fc.array(value, { maxLength: 5 })) },
      { weight: 1, arbitrary: filter(['exists'], fc.boolean()) },
      { weight: 1, arbitrary: filter(['contains', 'startsWith', 'eq'], anyText) },
      { weight: 1, arbitrary: filter(comparisons, anyValue) },
      { weight: 1, arbitrary: fc.record({ value: anyText }) },
    );
  });
}

function ofSchema(schema: Schema, property = ''): Arbitrary<unknown> {
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (schema.enum) return fc.constantFrom(...schema.enum);
  switch (schema.type) {
    case 'object':
      return objectOf(schema);
    case 'array':
      return arrayOf(schema, property);
    case 'boolean':
      return fc.boolean();
    case 'integer':
    case 'number':
      return numberOf(schema);
    case 'string':
      return stringOf(schema, property);
    default:
      return anyValue;
  }
}

/** Variants of an example: most of its values as they are, others replaced, left out or added. */
export function variantOf(schema: Schema, example: unknown, property = ''): Arbitrary<unknown> {
  const { properties, items, required = [] } = resolve(schema);
  const kept = fc.constant(example);
  if (Array.isArray(example) && items) {
    const same = example.map((one) => variantOf(items, one, property));
    return mostly(same.length > 0 ? fc.tuple(...same) : kept, validValue(schema, property));
  }
  if (typeof example !== 'object' || example === null || !properties)
    return mostly(kept, validValue(schema, property));
  const known = example as Record<string, unknown>;
  const values = Object.entries(properties).map(([key, value]) => {
    if (key in known) {
      const variant = variantOf(value, known[key], key);
      return required.includes(key) ? variant : mostly(variant, fc.constant(undefined));
    }
    return mostly(fc.constant(undefined), validValue(value, key));
  });
  const names = Object.keys(properties);
  return fc
    .tuple(...values)
    .map((all) => Object.fromEntries(all.map((value, index) => [names[index], value])));
}

function mostly(usual: Arbitrary<unknown>, other: Arbitrary<unknown>): Arbitrary<unknown> {
  return fc.oneof({ weight: 7, arbitrary: usual }, { weight: 1, arbitrary: other });
}

function objectOf(schema: Schema, replaced: Record<string, Arbitrary<unknown>> = {}) {
  const { properties = {}, required = [], additionalProperties } = schema;
  const values = Object.fromEntries(
    Object.entries(properties).map(([key, value]) => [
      key,
      replaced[key] ?? validValue(value, key),
    ]),
  );
  const known = fc.record(values, { requiredKeys: required as never[] });
  if (typeof additionalProperties !== 'object') return known;
  const more = fc.dictionary(fc.string({ maxLength: 20 }), validValue(additionalProperties), {
    maxKeys: 3,
  });
  return fc.tuple(more, known).map(([one, other]) => ({ ...one, ...other }));
}

function elementOf(array: Schema, name: string): Arbitrary<unknown> {
  const { items = {} } = array;
  if (nameOf(items) === 'Filter') return filterOf(array);
  if (nameOf(items) !== 'Sorting') return validValue(items, name);
  const fields = searchFieldsOf(array).map(({ field }) => field);
  return objectOf(resolve(items), { field: fc.constantFrom(...fields) });
}

function arrayOf(array: Schema, name: string) {
  const { minItems = 0, maxItems = 20, uniqueItems } = array;
  const element = elementOf(array, name);
  const length = { minLength: minItems, maxLength: Math.max(minItems, Math.min(maxItems, 3)) };
  return uniqueItems
    ? fc.uniqueArray(element, { ...length, comparator: 'SameValue' })
    : fc.array(element, length);
}

/** Powers of ten near the ends of what a double can hold, which the bounds of a schema may allow. */
const unusualNumbers = [5e-324, 1e-320, 2.2e-308, 1e-300, 1e-5, 1e21, 1e300, 1.7e308, 2 ** 53];

function numberOf({ type, minimum = -1e308, maximum = 1e308 }: Schema): Arbitrary<number> {
  if (type === 'integer') {
    const min = Math.max(Math.ceil(minimum), Number.MIN_SAFE_INTEGER);
    const max = Math.min(Math.floor(maximum), Number.MAX_SAFE_INTEGER);
    return fc.oneof(
      { weight: 3, arbitrary: fc.integer({ min, max: Math.min(max, Math.max(min, 0) + 100) }) },
      { weight: 1, arbitrary: fc.maxSafeInteger().map((one) => Math.min(Math.max(one, min), max)) },
    );
  }
  const unusual = unusualNumbers
    .flatMap((one) => [one, -one])
    .concat(minimum, maximum)
    .filter((one) => one >= minimum && one <= maximum);
  return fc
    .oneof(
      { weight: 3, arbitrary: fc.integer({ min: 0, max: 100_000 }).map((one) => one / 10) },
      { weight: 1, arbitrary: fc.double({ min: minimum, max: maximum, noNaN: true }) },
      { weight: 2, arbitrary: fc.constantFrom(...unusual) },
    )
    .filter((one) => one >= minimum && one <= maximum);
}

function stringOf(schema: Schema, property: string): Arbitrary<string> {
  const { format, pattern, minLength = 0, maxLength = 300 } = schema;
  const isLong = (text: string) => text.length >= minLength && text.length <= maxLength;
  if (format === 'date-time') return instants;
  if (format === 'date') return instants.map((instant) => instant.slice(0, 10));
  if (format === 'uri') return fc.webUrl({ withQueryParameters: true }).filter(isLong);
  if (format === 'uuid' || /(?:id|secret)$/i.test(property)) {
    // The seeded record of this name.
    const reference = fc.constant(`<<${property}>>`);
    return fc.oneof({ weight: 3, arbitrary: reference }, { weight: 1, arbitrary: uuids });
  }
  if (pattern) return fc.stringMatching(new RegExp(pattern)).filter(isLong);
  return fc.oneof(
    { weight: 9, arbitrary: anyText.filter(isLong) },
    { weight: 1, arbitrary: fc.constant('x'.repeat(maxLength)) },
  );
}

const uuids = fc.uuid({ version: [1, 4] });

/** Of the whole of Unicode; the library's own would first make a lookup of all of them. */
export const anyCharacter = fc
  .oneof(fc.integer({ min: 0, max: 0xd7ff }), fc.integer({ min: 0xe000, max: 0x10ffff }))
  .map(
    (codePoint) => String.fromCodePoint(codePoint),
    (character) => String(character).codePointAt(0) ?? 0,
  );

/** NUL is what PostgreSQL cannot store. */
const anyText = fc.oneof(
  { weight: 10, arbitrary: fc.string({ maxLength: 40, unit: 'grapheme-ascii' }) },
  { weight: 4, arbitrary: fc.string({ maxLength: 20, unit: 'grapheme' }) },
  { weight: 2, arbitrary: fc.string({ maxLength: 20, unit: anyCharacter }) },
  { weight: 3, arbitrary: fc.constantFrom('\u0000', 'a\u0000b', '%', '_', '\\', "'", '%_\\') },
);

const datesBetween = (from: string, to: string) =>
  fc
    .date({ min: new Date(from), max: new Date(to), noInvalidDate: true })
    .map((date) => date.toISOString());

const instants = fc.oneof(
  { weight: 8, arbitrary: datesBetween('2020-01-01', '2026-01-01') },
  { weight: 1, arbitrary: datesBetween('0001-01-02', '9999-12-30') },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      '0001-01-01T00:00:00Z',
      '9999-12-31T23:59:59.999999999Z',
      '2024-02-29T23:59:59.9999+14:00',
      '2024-12-31T23:59:59-14:59',
    ),
  },
);

/** What a filter can be compared with: its schema leaves open what. */
const anyValue: Arbitrary<unknown> = fc.oneof(
  { weight: 3, arbitrary: fc.jsonValue({ maxDepth: 2 }) },
  { weight: 2, arbitrary: numberOf({ type: 'number' }) },
  { weight: 2, arbitrary: anyText },
  { weight: 1, arbitrary: instants },
  { weight: 1, arbitrary: instants.map((instant) => instant.slice(0, 10)) },
  { weight: 1, arbitrary: uuids },
  { weight: 2, arbitrary: fc.array(fc.oneof(fc.string({ maxLength: 9 }), fc.double())) },
);
