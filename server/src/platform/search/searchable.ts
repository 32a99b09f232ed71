import type { Field } from './field.ts';
import type { SearchMode } from './request-schema.ts';
import type { Bind } from './text-sql.ts';

/** In SQL: the condition that a text is found, which is not empty. */
export type TextSql = (text: string, mode: SearchMode, bind: Bind) => string;

/** What can be searched: where its rows are, and which fields requests may name. */
export type Searchable = {
  fields: readonly Field[];
  columns: string;
  from: string;
  /** The columns of a text search; those with many values per entry as in Field. */
  textColumns?: readonly (string | Required<Pick<Field, 'column' | 'anyOf'>>)[];
  /** How a text is found in another way than as a whole in one of them. */
  textSql?: TextSql;
  /** The order of a request without sorting. */
  defaultOrder?: readonly string[];
  /** The last sorting key, never null, which makes every order total. */
  id: string;
};
