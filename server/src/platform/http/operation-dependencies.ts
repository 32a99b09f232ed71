import type { Database } from '../db/database.ts';
import type { ReadReplica } from '../db/replica.ts';
import type { Workload } from '../db/workload.ts';
import { memoizeByIdentity } from '../memoize-by-identity.ts';
import type { Clock } from '../time/clock.ts';
import type { Caller } from './principal.ts';

export type TenantDependencies = { clock: Clock; db: Database; replica?: ReadReplica | undefined };

/** The dependencies of a handler, whose statements take turns with those of other providers. */
export function tenantDependencies<Dependencies extends TenantDependencies>(
  dependencies: Dependencies,
  workload: Workload | undefined,
): (provider: string) => Dependencies {
  const withView = memoizeByIdentity((db: Database): Dependencies => ({ ...dependencies, db }));
  return (provider) => withView(dependencies.db.forTenant(provider, workload));
}

/** The dependencies of a request whose changes the audit trail records. */
export function actingAs<Dependencies extends TenantDependencies>(
  { kind, clientId, subject, address, requestId }: Caller,
  operation: string,
  dependencies: Dependencies,
): Dependencies {
  const actor = { kind, clientId, subject, address, requestId, operation };
  return { ...dependencies, db: dependencies.db.actingAs(actor) };
}
