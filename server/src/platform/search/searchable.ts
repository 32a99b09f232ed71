import type { Field } from './field.ts';

/** What can be searched: where its rows are, and which fields requests may name. */
export type Searchable = {
  fields: readonly Field[];
  columns: string;
  from: string;
  /** The columns of a text search; those with many values per entry as in Field. */
  textColumns?: readonly (string | Required<Pick<Field, 'column' | 'anyOf'>>)[];
  /** An indexed column that has them all in lower case, one per line. */
  textLines?: string;
  /** The order of a request without sorting. */
  defaultOrder?: readonly string[];
  /** The last sorting key, never null, which makes every order total. */
  id: string;
};
