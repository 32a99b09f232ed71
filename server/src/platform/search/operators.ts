import type { Field, FieldType } from './field.ts';

export const operators = [
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
export type Operator = (typeof operators)[number];

export const directions = ['asc', 'desc'] as const;
export type Direction = (typeof directions)[number];

const equality: readonly Operator[] = ['eq', 'ne', 'in', 'notIn', 'exists'];
const ordered: readonly Operator[] = [...equality, 'lt', 'lte', 'gt', 'gte'];
const operatorsOf: Record<FieldType, readonly Operator[]> = {
  text: [...ordered, 'contains', 'startsWith'],
  number: ordered,
  date: ordered,
  'date-time': ordered,
  boolean: equality,
  uuid: equality,
  object: ['exists'],
};

// Not by order: alphabetically, high would precede light.
const enumerationOperators: readonly Operator[] = [...equality, 'contains', 'startsWith'];

export function operatorsFor({ type, values }: Field): readonly Operator[] {
  return values ? enumerationOperators : operatorsOf[type];
}

/** Whether it compares whole values, so that one outside of the enumeration is an error. */
export function comparesWholeValues(operator: Operator): boolean {
  return equality.includes(operator);
}
