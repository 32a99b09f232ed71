import type { Queryable } from './queryable.ts';

/** Runs `work` with statements that are refused after its end: their connection then belongs to others. */
export async function lendStatements<Result>(
  statements: Queryable,
  work: (lent: Queryable) => Promise<Result>,
): Promise<Result> {
  let hasEnded = false;
  const send = <Answer>(start: () => Promise<Answer>): Promise<Answer> =>
    hasEnded
      ? Promise.reject(new Error('The transaction or session of this statement has ended'))
      : start();
  const lent: Queryable = {
    ...statements,
    query: <Row>(...sent: Parameters<Queryable['query']>) =>
      send(() => statements.query<Row>(...sent)),
    lookup: <Row extends object>(...sent: Parameters<Queryable['lookup']>) =>
      send(() => statements.lookup<Row>(...sent)),
    queryUnprepared: <Row>(...sent: Parameters<Queryable['queryUnprepared']>) =>
      send(() => statements.queryUnprepared<Row>(...sent)),
    rawQuery: (...sent) => send(() => statements.rawQuery(...sent)),
  };
  try {
    return await work(lent);
  } finally {
    hasEnded = true;
  }
}
