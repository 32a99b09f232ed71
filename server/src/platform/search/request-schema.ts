import Type, { type Static } from 'typebox';
import { type Field, sortableFields } from './field.ts';
import { searchLimits } from './limits.ts';
import { directions, operators } from './operators.ts';
import { pageRequestProperties } from './page.ts';

const SortingSchema = Type.Object(
  {
    field: Type.String({
      maxLength: searchLimits.fieldNameLength,
      description:
        'The dotted path of a field of the answer, or its bare name where only one field has it.',
      examples: ['updatedAt'],
    }),
    direction: Type.Optional(
      Type.Enum([...directions], {
        type: 'string',
        description: '`asc` when left out. Entries without a value come last either way.',
      }),
    ),
  },
  { $id: 'Sorting', additionalProperties: false, description: 'A field to sort by.' },
);
export type Sorting = Static<typeof SortingSchema>;

const scalar = { type: ['string', 'number', 'boolean'], maxLength: searchLimits.valueLength };

const FilterSchema = Type.Object(
  {
    field: Type.Optional(
      Type.String({
        maxLength: searchLimits.fieldNameLength,
        description:
          'The dotted path of a field of the answer, or its bare name where only one field has it. Some searches ' +
          'allow to leave it out: the value is then looked for in the text fields.',
        examples: ['updatedAt'],
      }),
    ),
    operator: Type.Optional(
      Type.Enum([...operators], {
        type: 'string',
        description:
          '`eq` when left out. `in` and `notIn` take an array, `exists` a boolean. Text compares without regard to case, ' +
          'in the order of the Unicode collation. `ne` and `notIn` also keep entries without a value.',
      }),
    ),
    value: Type.Unsafe<unknown>({
      anyOf: [scalar, { type: 'array', maxItems: searchLimits.values, items: scalar }],
      description: 'What the field is compared with, in the type of the field.',
      examples: ['2026-11-01T00:00:00Z'],
    }),
  },
  { $id: 'Filter', additionalProperties: false, description: 'A condition on a field.' },
);
export type Filter = Static<typeof FilterSchema>;

/** The properties of a search body over these fields, without searchText. */
export function searchProperties(fields: readonly Field[], hasText = false) {
  return {
    filters: Type.Optional(filtersSchema(fields, hasText)),
    sorting: Type.Optional(
      sortingSchema(
        `Applied in the order of the array; the id decides between equals. The fields: ${pathsOf(sortableFields(fields))}.`,
      ),
    ),
    ...pageRequestProperties,
  };
}

function filtersSchema(fields: readonly Field[], hasText: boolean) {
  return Type.Array(FilterSchema, {
    maxItems: searchLimits.filters,
    description:
      `All of them must hold. Together they compare with at most ${searchLimits.valuesOfAllFilters} values. ` +
      (hasText ? 'A filter without a field looks for text. ' : '') +
      `The fields: ${pathsOf(fields)}.`,
  });
}

export function sortingSchema(description: string, maxItems = searchLimits.sorting) {
  return Type.Array(SortingSchema, { maxItems, description });
}

function pathsOf(fields: readonly Field[]): string {
  return fields.map(({ path }) => path).join(', ');
}

export function searchTextProperty(description: string, example: string) {
  return Type.Optional(
    Type.String({ maxLength: searchLimits.searchTextLength, description, examples: [example] }),
  );
}

const searchModes = ['literal', 'words'] as const;
export type SearchMode = (typeof searchModes)[number];

export function searchModeProperty(description: string) {
  return Type.Optional(Type.Enum([...searchModes], { type: 'string', description }));
}
