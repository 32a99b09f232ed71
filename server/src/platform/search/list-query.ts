import Type, { type Static } from 'typebox';
import { PageRequestSchema } from './page.ts';
import { parseSearch } from './parse-search.ts';
import { searchProperties } from './request-schema.ts';
import type { Searchable } from './searchable.ts';

/**
 * The query parameters of a GET list: its page, and its filters and sorting as JSON. The handler gets the parsed
 * search.
 */
export function listQuery(of: string, searchable: Searchable) {
  const { filters, sorting } = searchProperties(of, searchable.fields);
  const schema = Type.Object(
    { ...PageRequestSchema.properties, filters, sorting },
    { additionalProperties: false },
  );
  return {
    schema,
    parse: ({ pageNumber, pageSize, ...request }: Static<typeof schema>) =>
      parseSearch(searchable, { ...request, pagination: { pageNumber, pageSize } }),
  };
}
