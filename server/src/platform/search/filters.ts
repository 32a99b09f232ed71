import Type, { type Static } from 'typebox';
import { formats } from '../http/formats.ts';
import type { ValidationIssue } from '../http/problem.ts';
import { type Field, type FieldType, fieldsByName } from './field.ts';

const operators = [
  'eq',
  'ne',
  'lt',
  'lte',
  'gt',
  'gte',
  'in',
  'notIn',
  'contains',
  'startsWith',
  'exists',
] as const;
type Operator = (typeof operators)[number];

const equality: Operator[] = ['eq', 'ne', 'in', 'notIn', 'exists'];
const ordered: Operator[] = [...equality, 'lt', 'lte', 'gt', 'gte'];
const operatorsOf: Record<FieldType, Operator[]> = {
  text: [...ordered, 'contains', 'startsWith'],
  number: ordered,
  date: ordered,
  'date-time': ordered,
  boolean: equality,
  uuid: equality,
  object: ['exists'],
};

// One of a few words: in the alphabet's order, high would come before light.
const wordOperators: Operator[] = [...equality, 'contains', 'startsWith'];

const maxValues = 1_000;
const maxTextLength = 1_000;

/** The schema of a `filters` array over the fields of one kind of thing. */
export function filtersSchema(of: string, fields: readonly Field[], hasText = false) {
  return Type.Array(
    Type.Object(
      {
        field: Type.Optional(
          Type.String({
            maxLength: 200,
            description:
              'The dotted path of a field of the answer, or its bare name where only one field has it. ' +
              (hasText
                ? 'Left out, the value is looked for in the text fields, as searchText is. '
                : '') +
              `One of ${fields.map(({ path }) => path).join(', ')}.`,
            examples: [fields[0]?.path ?? ''],
          }),
        ),
        operator: Type.Optional(
          Type.Enum([...operators], {
            type: 'string',
            default: 'eq',
            description:
              '`in` and `notIn` take an array, `exists` a boolean. Text compares without regard to case. ' +
              '`ne` and `notIn` also keep entries without a value.',
          }),
        ),
        value: Type.Unknown({
          description: 'What the field is compared with, in the type of the field.',
        }),
      },
      { $id: `${of}Filter`, additionalProperties: false },
    ),
    { maxItems: 50, description: 'All of them must hold.' },
  );
}

export type Filter = Static<ReturnType<typeof filtersSchema>>[number];

/** Collects the values of a statement; answers the placeholder of each. */
export type Bind = (value: unknown) => string;

/**
 * The SQL of each filter, or what is wrong with it. `anyText` stands for a filter that names no
 * field.
 */
export function filterConditions(
  filters: readonly Filter[],
  fields: readonly Field[],
  bind: Bind,
  anyText?: (text: string) => string,
): { conditions: string[]; issues: ValidationIssue[] } {
  const known = fieldsByName(fields);
  const conditions: string[] = [];
  const issues: ValidationIssue[] = [];
  for (const [index, filter] of filters.entries()) {
    const at = `/filters/${index}`;
    const fault = (part: string, detail: string) =>
      issues.push({ pointer: `${at}/${part}`, detail });
    if (filter.field === undefined) {
      if (!anyText) fault('field', 'field is required here.');
      else if (filter.operator !== undefined && filter.operator !== 'contains') {
        fault(
          'operator',
          'A filter without a field looks for text: leave operator out, or say contains.',
        );
      } else if (typeof filter.value !== 'string') fault('value', 'value must be a string.');
      else conditions.push(anyText(filter.value));
      continue;
    }
    const field = known.get(filter.field);
    if (!field) {
      fault(
        'field',
        `${JSON.stringify(filter.field)} is not a field: known are ${fields.map(({ path }) => path).join(', ')}.`,
      );
      continue;
    }
    const operator = filter.operator ?? 'eq';
    const allowed = field.values ? wordOperators : operatorsOf[field.type];
    if (!allowed.includes(operator)) {
      fault(
        'operator',
        `${field.path} (${field.type}) cannot be compared with ${operator}: it takes ${allowed.join(', ')}.`,
      );
      continue;
    }
    const wrong = valueFault(filter.value, operator, field);
    if (wrong) fault('value', `value must be ${wrong}.`);
    else conditions.push(conditionOn(field, operator, filter.value, bind));
  }
  return { conditions, issues };
}

function valueFault(value: unknown, operator: Operator, field: Field): string | undefined {
  if (operator === 'exists') return typeof value === 'boolean' ? undefined : 'true or false';
  const { type } = field;
  const words = equality.includes(operator) ? field.values : undefined;
  const expected = words ? `one of ${words.join(', ')}` : valueNames[type];
  const fits = (one: unknown) => fitsType(one, type) && (!words || isAmong(words, String(one)));
  if (operator === 'in' || operator === 'notIn') {
    return Array.isArray(value) && value.length <= maxValues && value.every(fits)
      ? undefined
      : `an array of at most ${maxValues} elements, each ${expected}`;
  }
  return fits(value) ? undefined : expected;
}

function isAmong(words: readonly string[], text: string): boolean {
  return words.some((word) => word.toLowerCase() === text.toLowerCase());
}

const valueNames: Record<FieldType, string> = {
  text: `a string of at most ${maxTextLength} characters`,
  number: 'a finite number',
  boolean: 'true or false',
  date: 'a calendar date such as 2024-02-29',
  'date-time': 'a date and time with its offset such as 2024-02-29T12:30:00Z',
  uuid: 'a UUID',
  object: 'true or false',
};

function fitsType(value: unknown, type: FieldType): boolean {
  switch (type) {
    case 'text':
      return typeof value === 'string' && value.length <= maxTextLength;
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

const sqlTypes: Record<FieldType, string> = {
  text: 'text',
  number: 'double precision',
  boolean: 'boolean',
  date: 'date',
  'date-time': 'timestamptz',
  uuid: 'uuid',
  object: 'text',
};
const comparisons = { lt: '<', lte: '<=', gt: '>', gte: '>=' };

const complements: Partial<Record<Operator, Operator>> = { ne: 'eq', notIn: 'in' };

/** On a field of many values, whether any of them fits; `ne` and `notIn`, whether none does. */
function conditionOn(field: Field, operator: Operator, value: unknown, bind: Bind): string {
  if (field.anyOf === undefined) return condition(field, operator, value, bind);
  const complement = operator === 'exists' && value === false ? operator : complements[operator];
  const sought = operator === 'exists' ? true : value;
  const any = condition(field, complement ?? operator, sought, bind);
  return `${complement ? 'not ' : ''}exists (select ${field.anyOf} and ${any})`;
}

function condition(field: Field, operator: Operator, value: unknown, bind: Bind): string {
  const type = sqlTypes[field.type];
  const column = comparable(field);
  const folded = (one: unknown) =>
    field.type === 'text' ? `lower(${bind(one)}::text)` : `${bind(one)}::${type}`;
  const oneOf = () => {
    const values = `unnest(${bind(value)}::${type}[]) one`;
    const candidates = `select ${field.type === 'text' ? 'lower(one)' : 'one'} from ${values}`;
    // A missing value is not among them, and that is false rather than unknown.
    return `coalesce(${column} in (${candidates}), false)`;
  };
  switch (operator) {
    case 'eq':
      return `${column} = ${folded(value)}`;
    case 'ne':
      return `${column} is distinct from ${folded(value)}`;
    case 'in':
      return oneOf();
    case 'notIn':
      return `not ${oneOf()}`;
    case 'contains':
      return `${anyCase(field.column)} ilike ${bind(`%${literal(value)}%`)}`;
    case 'startsWith':
      return `${anyCase(field.column)} ilike ${bind(`${literal(value)}%`)}`;
    case 'exists':
      return `${field.column} is ${value === true ? 'not null' : 'null'}`;
    default:
      return `${column} ${comparisons[operator]} ${folded(value)}`;
  }
}

/** Text compares and sorts without regard to case, by code point: alike on every PostgreSQL. */
export function comparable({ type, column }: Field): string {
  return type === 'text' ? `lower(${anyCase(column)}) collate "C"` : column;
}

/** Under the collation "C" of a column, only ASCII has cases. */
export function anyCase(column: string): string {
  return `(${column} collate "default")`;
}

/** A search text as a pattern that matches itself and nothing else. */
export function literal(text: unknown): string {
  return String(text).replaceAll(/[\\%_]/g, '\\$&');
}
