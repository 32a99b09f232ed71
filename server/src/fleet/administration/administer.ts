import { AdministrationConflict } from '../../auth/administration-conflict.ts';
import type { Queryable } from '../../platform/db/database.ts';
import { Problem } from '../../platform/http/problem.ts';
import type { Dependencies } from '../dependencies.ts';

/** Runs a change of clients, users or sessions in one transaction. */
export async function administer<Result>(
  dependencies: Dependencies,
  work: (tx: Queryable) => Promise<Result>,
): Promise<Result> {
  requireOwnRealm(dependencies);
  try {
    return await dependencies.db.transaction(work);
  } catch (error) {
    if (!(error instanceof AdministrationConflict)) throw error;
    const { kind, title, message } = error;
    throw new Problem(409, kind, title, { detail: message });
  }
}

/** The function that knows the address of a realm. 409 where an external server issues the tokens. */
export function requireOwnRealm({ realmUrl }: Dependencies): (provider: string) => string {
  if (realmUrl) return realmUrl;
  throw new Problem(409, 'external-issuer', 'Another server issues the tokens', {
    detail:
      'Clients, users and sessions are administered at the authorization server of AUTH_ISSUER.',
  });
}

/** The texts of 409, with what else may be refused. */
export function conflicts(...reasons: string[]): Record<number, string> {
  const external =
    'An external authorization server issues the tokens, and has the clients and users.';
  return { 409: [...reasons, external].join(' ') };
}
