import Type, { type Static } from 'typebox';
import type { ValidationIssue } from '../http/problem.ts';
import { type Field, fieldsByName, sortableFields } from './field.ts';
import { comparable } from './filters.ts';

export function sortingSchema(of: string, fields: readonly Field[]) {
  return Type.Array(
    Type.Object(
      {
        field: Type.String({
          maxLength: 200,
          description:
            'The dotted path of a field of the answer, or its bare name where only one field has it.',
          examples: [fields[0]?.path ?? ''],
        }),
        direction: Type.Optional(
          Type.Enum(['asc', 'desc'], {
            type: 'string',
            default: 'asc',
            description: 'Entries without a value come last either way.',
          }),
        ),
      },
      { $id: `${of}Sorting`, additionalProperties: false },
    ),
    {
      maxItems: 10,
      description: 'Applied in the order of the array; the id decides between equals.',
    },
  );
}

export type SortingKey = { field: Field; direction: 'asc' | 'desc' };

export type Sorting = Static<ReturnType<typeof sortingSchema>>[number];

/** What is sorted by, without the last key that makes the order total, or what is wrong with it. */
export function sortingKeys(
  sorting: readonly Sorting[],
  fields: readonly Field[],
): { keys: SortingKey[]; issues: ValidationIssue[] } {
  const sortable = sortableFields(fields);
  const known = fieldsByName(sortable);
  const keys: SortingKey[] = [];
  const issues: ValidationIssue[] = [];
  for (const [index, { field: name, direction = 'asc' }] of sorting.entries()) {
    const field = known.get(name);
    if (field) keys.push({ field, direction });
    else {
      issues.push({
        pointer: `/sorting/${index}/field`,
        detail: `${JSON.stringify(name)} is not a field to sort by: known are ${sortable.map(({ path }) => path).join(', ')}.`,
      });
    }
  }
  return { keys, issues };
}

/** The order in SQL. */
export function sortingTerm({ field, direction }: SortingKey): string {
  return `${comparable(field)} ${direction} nulls last`;
}
