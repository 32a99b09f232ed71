import type { FieldType } from './field.ts';
import type { FieldFilter } from './parse-filter.ts';
import { anyCase, comparable, literal } from './text-sql.ts';

/** Collects the values of a statement; answers the placeholder of each. */
export type Bind = (value: unknown) => string;

/** On a field of many values, whether any of them fits; `ne` and `notIn`, whether none does. */
export function filterSql(filter: FieldFilter, bind: Bind): string {
  const { anyOf } = filter.field;
  if (anyOf === undefined) return condition(filter, bind);
  const { isNegated, sought } = withoutNegation(filter);
  return `${isNegated ? 'not ' : ''}exists (select ${anyOf} and ${condition(sought, bind)})`;
}

function withoutNegation(filter: FieldFilter): { isNegated: boolean; sought: FieldFilter } {
  switch (filter.operator) {
    case 'ne':
      return { isNegated: true, sought: { ...filter, operator: 'eq' } };
    case 'notIn':
      return { isNegated: true, sought: { ...filter, operator: 'in' } };
    case 'exists':
      return { isNegated: !filter.value, sought: { ...filter, value: true } };
    default:
      return { isNegated: false, sought: filter };
  }
}

function condition({ field, operator, value }: FieldFilter, bind: Bind): string {
  const column = comparable(field);
  switch (operator) {
    case 'eq':
      return `${column} = ${bound(value, field.type, bind)}`;
    case 'ne':
      return `${column} is distinct from ${bound(value, field.type, bind)}`;
    case 'in':
      return oneOf(column, value, field.type, bind);
    case 'notIn':
      return `not ${oneOf(column, value, field.type, bind)}`;
    case 'contains':
      return `${anyCase(field.column)} ilike ${bind(`%${literal(String(value))}%`)}`;
    case 'startsWith':
      return `${anyCase(field.column)} ilike ${bind(`${literal(String(value))}%`)}`;
    case 'exists':
      return `${field.column} is ${value ? 'not null' : 'null'}`;
    default:
      return `${column} ${comparisons[operator]} ${bound(value, field.type, bind)}`;
  }
}

const comparisons = { lt: '<', lte: '<=', gt: '>', gte: '>=' };

function bound(value: unknown, type: FieldType, bind: Bind): string {
  const placeholder = `${bind(value)}::${sqlTypes[type]}`;
  return type === 'text' ? `lower(${placeholder})` : placeholder;
}

function oneOf(column: string, values: readonly unknown[], type: FieldType, bind: Bind): string {
  const one = type === 'text' ? 'lower(one)' : 'one';
  const candidates = `select ${one} from unnest(${bind(values)}::${sqlTypes[type]}[]) one`;
  // A missing value is not among them, and that is false rather than unknown.
  return `coalesce(${column} in (${candidates}), false)`;
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
