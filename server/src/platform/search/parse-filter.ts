import { formats } from '../http/formats.ts';
import type { Parsed } from '../http/request-part.ts';
import { unknownName } from '../http/unknown-name.ts';
import { canonicalDateTime, dateTimeIssue } from '../time/date-time.ts';
import { type Field, type FieldType, fieldsByName } from './field.ts';
import { searchLimits } from './limits.ts';
import { comparesWholeValues, type Operator, operatorsFor } from './operators.ts';
import type { Filter } from './request-schema.ts';
import type { Searchable } from './searchable.ts';

/** A filter whose operator and value are valid for its field. */
export type FieldFilter = { field: Field } & (
  | { operator: 'exists'; value: boolean }
  | { operator: 'in' | 'notIn'; value: readonly Scalar[] }
  | { operator: Exclude<Operator, 'exists' | 'in' | 'notIn'>; value: Scalar }
);
type Scalar = string | number | boolean;

/** Text to find in any text column. */
type TextFilter = { field?: undefined; value: string };

export type ParsedFilter = FieldFilter | TextFilter;

/** The filter at this pointer of a request, or its issues. */
export function parseFilter(
  filter: Filter,
  pointer: string,
  searchable: Searchable,
  suggestsNames: boolean,
): Parsed<ParsedFilter> {
  const issue = (part: keyof Filter, detail: string) => ({
    issues: [{ pointer: `${pointer}/${part}`, detail }],
  });
  if (filter.field === undefined) {
    if (!searchable.textColumns) return issue('field', 'field is required here.');
    if (filter.operator !== undefined && filter.operator !== 'contains') {
      const detail =
        'A filter without a field looks for text: leave operator out, or say contains.';
      return issue('operator', detail);
    }
    if (typeof filter.value !== 'string') return issue('value', 'value must be a string.');
    return { value: { value: filter.value } };
  }
  const { fields } = searchable;
  const byName = fieldsByName(fields);
  const field = byName.get(filter.field);
  if (!field) {
    const known = fields.map(({ path }) => path);
    return issue(
      'field',
      unknownName(filter.field, 'a field', known, suggestsNames ? byName.keys() : []),
    );
  }
  const operator = filter.operator ?? 'eq';
  const allowed = operatorsFor(field);
  if (!allowed.includes(operator)) {
    const detail = `${field.path} (${field.type}) cannot be compared with ${operator}: it takes ${allowed.join(', ')}.`;
    return issue('operator', detail);
  }
  const { value } = filter;
  const expected = expectedValue(value, operator, field);
  if (expected !== undefined) {
    const isInstant = field.type === 'date-time' && typeof value === 'string';
    return issue('value', isInstant ? dateTimeIssue('value', value) : `value must be ${expected}.`);
  }
  const isTime = field.type === 'date-time' && operator !== 'exists';
  return { value: { field, operator, value: isTime ? canonical(value) : value } as FieldFilter };
}

/** Describes the expected value, if this one is not valid. */
function expectedValue(value: unknown, operator: Operator, field: Field): string | undefined {
  if (operator === 'exists') return typeof value === 'boolean' ? undefined : 'true or false';
  const { type } = field;
  const enumeration = comparesWholeValues(operator) ? field.values : undefined;
  const expected = enumeration ? `one of ${enumeration.join(', ')}` : valueNames[type];
  const isValid = (one: unknown) =>
    hasType(one, type) && (!enumeration || includesIgnoringCase(enumeration, String(one)));
  if (operator === 'in' || operator === 'notIn') {
    return Array.isArray(value) && value.length <= searchLimits.values && value.every(isValid)
      ? undefined
      : `an array of at most ${searchLimits.values} elements, each ${expected}`;
  }
  return isValid(value) ? undefined : expected;
}

function canonical(value: unknown): unknown {
  return Array.isArray(value) ? value.map(canonical) : canonicalDateTime(String(value));
}

function includesIgnoringCase(values: readonly string[], text: string): boolean {
  return values.some((value) => value.toLowerCase() === text.toLowerCase());
}

const valueNames: Record<FieldType, string> = {
  text: `a string of at most ${searchLimits.valueLength} characters`,
  number: 'a finite number',
  boolean: 'true or false',
  date: 'a calendar date such as 2024-02-29',
  'date-time': 'a date and time with its offset such as 2024-02-29T12:30:00Z',
  uuid: 'a UUID',
  object: 'true or false',
};

function hasType(value: unknown, type: FieldType): boolean {
  switch (type) {
    case 'text':
      return typeof value === 'string' && value.length <= searchLimits.valueLength;
    case 'number':
      return typeof value === 'number' && Number.isFinite(value);
    case 'boolean':
      return typeof value === 'boolean';
    case 'date':
    case 'date-time':
    case 'uuid':
      return typeof value === 'string' && formats[type](value);
    case 'object':
      return false;
  }
}
