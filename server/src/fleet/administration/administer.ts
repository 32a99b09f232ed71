import { AdministrationConflict } from '../../auth/administration-conflict.ts';
import { isRevokedNow } from '../../auth/revocations.ts';
import type { Queryable } from '../../platform/db/database.ts';
import type { Caller } from '../../platform/http/principal.ts';
import { Problem, unauthorized } from '../../platform/http/problem.ts';
import type { Dependencies } from '../dependencies.ts';

/** Runs a change of clients, users or sessions in one transaction, by a caller who still is an administrator. */
export async function administer<Result>(
  dependencies: Dependencies,
  caller: Caller,
  work: (tx: Queryable) => Promise<Result>,
): Promise<Result> {
  requireOwnRealm(dependencies);
  try {
    return await dependencies.db.transaction(async (tx) => {
      await requireAdministrator(tx, caller);
      return work(tx);
    });
  } catch (error) {
    if (!(error instanceof AdministrationConflict)) throw error;
    const { kind, title, message } = error;
    throw new Problem(409, kind, title, { detail: message });
  }
}

/** One change of a provider at a time: of two administrators who end each other's access, the first does. */
async function requireAdministrator(tx: Queryable, caller: Caller): Promise<void> {
  const { provider, kind, subject } = caller;
  await tx.query('select from providers where id = $1 for no key update', [provider]);
  const found = await tx.query(
    `select from ${kind === 'user' ? 'users' : 'clients'}
     where provider = $1 and id = $2${kind === 'user' ? '::uuid' : ''} and role = 'admin' and disabled_at is null`,
    [provider, subject],
  );
  if (found.length === 0 || (await isRevokedNow(tx, caller))) throw unauthorized(provider, true);
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
