import type { FieldType } from './field.ts';
import type { FieldFilter } from './parse-filter.ts';
import { type Bind, comparable, escapeLike, matches, normalizedText } from './text-sql.ts';

/** A field with many values per entry matches if any value does; by `ne` and `notIn`, if none does. */
export function filterSql(filter: FieldFilter, bind: Bind): string {
  const { anyOf } = filter.field;
  if (anyOf === undefined) return condition(filter, bind);
  const { isNegated, positive } = withoutNegation(filter);
  return `${isNegated ? 'not ' : ''}exists (select ${anyOf} and ${condition(positive, bind)})`;
}

function withoutNegation(filter: FieldFilter): { isNegated: boolean; positive: FieldFilter } {
  switch (filter.operator) {
    case 'ne':
      return { isNegated: true, positive: { ...filter, operator: 'eq' } };
    case 'notIn':
      return { isNegated: true, positive: { ...filter, operator: 'in' } };
    case 'exists':
      return { isNegated: !filter.value, positive: { ...filter, value: true } };
    default:
      return { isNegated: false, positive: filter };
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
      return matches(field.column, bind(`%${escapeLike(String(value))}%`));
    case 'startsWith':
      return matches(field.column, bind(`${escapeLike(String(value))}%`));
    case 'exists':
      return `${field.column} is ${value ? 'not null' : 'null'}`;
    default:
      return `${column} ${comparisons[operator]} ${bound(value, field.type, bind)}`;
  }
}

const comparisons = { lt: '<', lte: '<=', gt: '>', gte: '>=' };

function bound(value: unknown, type: FieldType, bind: Bind): string {
  const placeholder = `${bind(value)}::${sqlTypes[type]}`;
  return type === 'text' ? normalizedText(placeholder) : placeholder;
}

function oneOf(column: string, values: readonly unknown[], type: FieldType, bind: Bind): string {
  const one = type === 'text' ? normalizedText('one') : 'one';
  const candidates = `select ${one} from unnest(${bind(values)}::${sqlTypes[type]}[]) one`;
  // Null is not in the list: false rather than unknown.
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
