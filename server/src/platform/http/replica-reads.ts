import type { Database } from '../db/database.ts';
import type { ReadReplica } from '../db/replica.ts';
import type { Operation, OperationResult } from './operation.ts';

/** The position of the log up to which a client has written: of an answer to a write, and of a search after it. */
export const positionHeader = 'motorpool-position';

type Answer = Promise<OperationResult<number>>;

type Handled = {
  provider: string;
  /** Of the request. */
  position: string | undefined;
  /** Handles the request, with this database where one is given. */
  handle(db?: Database): Answer;
};

/** Lets searches read the replica while it has what the client has written, and tells writers how far it has to come. */
export function withReplica(
  { method, workload, needsPrimary }: Operation<never>,
  replica: ReadReplica,
): (handled: Handled) => Answer {
  if (workload === 'search') {
    if (needsPrimary) return ({ handle }) => handle();
    return async ({ provider, position, handle }) => {
      if (!replica.serves(provider, position)) return handle();
      return handle(replica.db.forTenant(provider, workload)).catch((error) => {
        if (replica.isToBlame(error)) return handle();
        throw error;
      });
    };
  }
  if (method === 'GET') return ({ handle }) => handle();
  return async ({ provider, handle }) => {
    const answer = await handle();
    const position = await replica.noteWrite(provider);
    if (position === undefined) return answer;
    return { ...answer, headers: { ...answer.headers, [positionHeader]: position } };
  };
}
