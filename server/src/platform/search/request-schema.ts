import Type, { type Static } from 'typebox';
import type { Field } from './field.ts';
import { searchLimits } from './limits.ts';
import { directions, operators } from './operators.ts';
import { pageRequestProperties } from './page.ts';

/** The properties of a search body over these fields, without searchText. */
export function searchProperties(of: string, fields: readonly Field[], hasText = false) {
  return {
    filters: Type.Optional(filtersSchema(of, fields, hasText)),
    sorting: Type.Optional(sortingSchema(of, fields)),
    ...pageRequestProperties,
  };
}

export function searchTextProperty(description: string, example: string) {
  return Type.Optional(
    Type.String({ maxLength: searchLimits.searchTextLength, description, examples: [example] }),
  );
}

const searchModes = ['literal', 'words'] as const;
export type SearchMode = (typeof searchModes)[number];

export function searchModeProperty(description: string) {
  return Type.Optional(
    Type.Enum([...searchModes], { type: 'string', default: 'literal', description }),
  );
}

function filtersSchema(of: string, fields: readonly Field[], hasText: boolean) {
  return Type.Array(
    Type.Object(
      {
        field: Type.Optional(
          Type.String({
            maxLength: searchLimits.fieldNameLength,
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
              '`in` and `notIn` take an array, `exists` a boolean. Text compares without regard to case, in the order of the Unicode collation. ' +
              '`ne` and `notIn` also keep entries without a value.',
          }),
        ),
        value: Type.Unknown({
          description: 'What the field is compared with, in the type of the field.',
        }),
      },
      { $id: `${of}Filter`, additionalProperties: false },
    ),
    {
      maxItems: searchLimits.filters,
      description: `All of them must hold. Together they compare with at most ${searchLimits.valuesOfAllFilters} values.`,
    },
  );
}

export type Filter = Static<ReturnType<typeof filtersSchema>>[number];

function sortingSchema(of: string, fields: readonly Field[]) {
  return Type.Array(
    Type.Object(
      {
        field: Type.String({
          maxLength: searchLimits.fieldNameLength,
          description:
            'The dotted path of a field of the answer, or its bare name where only one field has it.',
          examples: [fields[0]?.path ?? ''],
        }),
        direction: Type.Optional(
          Type.Enum([...directions], {
            type: 'string',
            default: 'asc',
            description: 'Entries without a value come last either way.',
          }),
        ),
      },
      { $id: `${of}Sorting`, additionalProperties: false },
    ),
    {
      maxItems: searchLimits.sorting,
      description: 'Applied in the order of the array; the id decides between equals.',
    },
  );
}

export type Sorting = Static<ReturnType<typeof sortingSchema>>[number];
