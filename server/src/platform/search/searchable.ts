import type { Field } from './field.ts';

/** What can be searched: where its rows are, and which fields requests may name. */
export type Searchable = {
  fields: readonly Field[];
  columns: string;
  from: string;
  /** What text without a field is looked for in; of many values (see Field), in any of them. */
  textColumns?: readonly (string | Required<Pick<Field, 'column' | 'anyOf'>>)[];
  /** A column that has them all in lower case, a line each, where there is one with an index. */
  textLines?: string;
  /** The order when none is asked for. */
  defaultOrder?: readonly string[];
  /** Makes every order total; no row has it null. */
  id: string;
};
