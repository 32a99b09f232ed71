import Type from 'typebox';
import type { Field } from './field.ts';
import { filtersSchema } from './filters.ts';
import { type Page, PageRequestSchema } from './page.ts';
import { sortingSchema } from './sorting.ts';

/** The query of a list that is read by GET: its page, and as JSON its filters and its order. */
export function listQuery(of: string, fields: readonly Field[]) {
  return Type.Object(
    {
      ...PageRequestSchema.properties,
      filters: Type.Optional(filtersSchema(of, fields)),
      sorting: Type.Optional(sortingSchema(of, fields)),
    },
    { additionalProperties: false },
  );
}

export function queryPage({ pageNumber = 0, pageSize = 100 }: Partial<Page>): Page {
  return { pageNumber, pageSize };
}
