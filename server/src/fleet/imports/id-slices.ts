import type { Queryable } from '../../platform/db/database.ts';

const sliceSize = 1_000;

/** The ids of a temporary table in their order: a file may name more than one statement should. */
export async function* idSlices(
  tx: Queryable,
  table: 'named_ids' | 'written_ids',
): AsyncGenerator<string[]> {
  for (let last = ''; ; ) {
    const slice = await tx.query<{ id: string }>(
      `select id from ${table} where id > $1 order by id limit ${sliceSize}`,
      [last],
    );
    const end = slice.at(-1);
    if (!end) return;
    last = end.id;
    yield slice.map(({ id }) => id);
  }
}
