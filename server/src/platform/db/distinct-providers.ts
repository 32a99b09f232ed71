import type { Queryable } from './queryable.ts';

/**
 * In SQL: the providers that have rows in a table whose primary key begins with them. One step in the index for each
 * provider, instead of one for each row; Citus has no recursion over all of them.
 */
export function distinctProviders(
  { isSharded }: Pick<Queryable, 'isSharded'>,
  table: string,
): string {
  if (isSharded) return `select distinct provider from ${table}`;
  return `(
    with recursive found as (
      (select provider from ${table} order by provider limit 1)
      union all
      select (select t.provider from ${table} t where t.provider > found.provider order by t.provider limit 1)
      from found where found.provider is not null
    ) select provider from found where provider is not null)`;
}
