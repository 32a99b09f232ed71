import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { atMost } from '../cache-bound.ts';
import { longWork } from '../pace.ts';
import { noSecrets, type SecretBox } from '../secrets/secret-box.ts';
import type { Actor } from './actor.ts';
import { type CommonSlots, type HeldSlots, Tenant } from './admission-queue.ts';
import { breaksConnection, openPool, type PoolOptions } from './connection-pool.ts';
import { lendStatements } from './lend-statements.ts';
import { batchLookups, type Lookup } from './lookup-batcher.ts';
import type { Queryable } from './queryable.ts';
import type { ReadBudget } from './read-budget.ts';
import type { Connection } from './servers.ts';
import type { Session } from './session.ts';
import type { Query } from './statement.ts';
import { asStatementTimeout } from './statement-timeout.ts';
import { isStalePlan } from './unavailable.ts';
import { shareOfTenant, type Workload, type WorkloadLimits, workloads } from './workload.ts';

export type { Queryable };

export type Database = Queryable & {
  /** Runs `work` in one transaction; a statement of `tx` after its end is refused. */
  transaction<Result>(
    work: (tx: Queryable) => Promise<Result>,
    mode?: 'read write' | 'read only',
  ): Promise<Result>;
  /** Runs `work` on one connection without a transaction, for session state and what allows no transaction. */
  session<Result>(work: (session: Queryable) => Promise<Result>): Promise<Result>;
  /** The same database for the statements of one tenant, which take turns with those of others. */
  forTenant(name: string, workload?: Workload): Database;
  /** The same database; the audit trail records what is written, except by `rawQuery`, as this actor's. */
  actingAs(actor: Actor): Database;
  /** Counts as one more statement of the tenant until the result is called once: for rows that take much memory. */
  hold(): () => void;
  /** The database itself, for what all tenants share: see `oncePerDatabase`. */
  readonly root: Database;
  /** Closes the connections, which rolls back what still runs. */
  close(): Promise<void>;
};

export type DatabaseOptions = PoolOptions & { secrets?: SecretBox };

const beginReadOnly = 'begin isolation level repeatable read read only';
const setSessionActor = `select set_config('motorpool.actor', $1, false)`;
const maxTenants = 10_000;
const unlimited: WorkloadLimits = { share: 1, long: undefined, statementTimeoutMs: undefined };

export function openDatabase(connection: Connection, options: DatabaseOptions): Database {
  const pool = openPool(connection, options);
  const { isSharded = false } = options;
  const slotsOf = (share: number) => Math.max(1, Math.floor(options.poolSize * share));

  const tenantOf = (
    { share, long, contended, isService }: WorkloadLimits,
    slots?: Partial<Omit<Views, 'name' | 'of'>>,
  ) =>
    new Tenant(slotsOf(share), {
      long: long && { ...long, share: slotsOf(long.share) },
      contended: contended && { ...contended, share: slotsOf(contended.share) },
      ...slots,
      ...(isService && { competing: undefined }),
    });

  /** The database for statements that wait together, as one tenant. */
  const openView = (
    limits: WorkloadLimits,
    batch?: ReturnType<typeof batchLookups>,
    { tenant, name }: NamedTenant = { tenant: tenantOf(limits), name: '' },
  ): Database => {
    // What was read is long work: until others have had as much time, it is of the tenant's share.
    const rest = (readMs: number) => void longWork.begin(name, readMs)().then(pool.hold(tenant));
    const timeoutMs =
      limits.statementTimeoutMs && Math.min(limits.statementTimeoutMs, options.statementTimeoutMs);
    // A pooler does not set it for the session.
    const sentTimeoutMs =
      timeoutMs ?? (connection.behindPooler ? options.statementTimeoutMs : undefined);
    const viewAs = (acting?: Actor): Database => {
      const actor = acting && JSON.stringify(acting);
      const onPooledSession: WithSession = async (execute) => {
        const session = await pool.acquire(tenant);
        const start = () => {
          session.pendingTimeoutMs = sentTimeoutMs;
          session.pendingActor = actor;
          return execute(session);
        };
        try {
          return await start().catch((error) => {
            // It is prepared again now.
            if (isStalePlan(error)) return start();
            throw error;
          });
        } catch (error) {
          if (breaksConnection(error)) session.broken ??= error as Error;
          throw asStatementTimeout(error, timeoutMs);
        } finally {
          session.pendingTimeoutMs = undefined;
          session.pendingActor = undefined;
          pool.release(tenant, session);
        }
      };
      const inTransaction = async <Result>(
        work: (session: Session) => Promise<Result>,
        mode: 'read write' | 'read only',
      ): Promise<Result> => {
        const session = await pool.acquire(tenant);
        session.pendingBegin = mode === 'read only' ? beginReadOnly : 'begin';
        session.pendingTimeoutMs = sentTimeoutMs;
        session.pendingActor = mode === 'read only' ? undefined : actor;
        const end = async (text: 'commit' | 'rollback') => {
          if (session.pendingBegin === undefined) await session.execute({ text, values: [] });
        };
        try {
          const result = await work(session);
          await end('commit');
          return result;
        } catch (error) {
          if (breaksConnection(error)) session.broken ??= error as Error;
          else
            await end('rollback').catch((failure: Error) => {
              session.broken = failure;
            });
          throw asStatementTimeout(error, timeoutMs);
        } finally {
          session.pendingBegin = undefined;
          session.pendingTimeoutMs = undefined;
          session.pendingActor = undefined;
          pool.release(tenant, session);
        }
      };
      // Workers are told the actor with the start of a transaction.
      const statements = queryable(
        isSharded && actor !== undefined
          ? (execute) => inTransaction(execute, 'read write')
          : onPooledSession,
        options,
        rest,
      );
      return {
        ...statements,
        ...(batch && { lookup: batch(statements.query) }),
        transaction: (work, mode = 'read write') =>
          inTransaction(
            (session) =>
              lendStatements(
                queryable((execute) => execute(session), options, rest),
                work,
              ),
            mode,
          ),
        async session(work) {
          const session = await pool.acquire(tenant);
          const inSession = queryable((execute) => execute(session), options, rest);
          try {
            if (actor !== undefined) await inSession.query(setSessionActor, [actor]);
            const result = await lendStatements(inSession, work);
            if (actor !== undefined) await inSession.query(setSessionActor, ['']);
            return result;
          } catch (error) {
            // Locks and settings of the session end with its connection.
            session.broken ??= error as Error;
            throw error;
          } finally {
            pool.release(tenant, session);
          }
        },
        forTenant: (name, workload = 'records') => {
          const view = viewOf(name, workload);
          return acting ? view.actingAs(acting) : view;
        },
        actingAs: viewAs,
        hold: () => pool.hold(tenant),
        get root() {
          return root;
        },
        close: pool.close,
      };
    };
    return viewAs();
  };

  const viewOpener = (limits: WorkloadLimits) => {
    // Lookups of several tenants in one statement are a tenant of their own: two could otherwise take all connections.
    const { share } = workloads.records;
    const shared = limits.sharesNoLookups
      ? undefined
      : openView({ ...limits, share, long: undefined, contended: undefined }).query;
    // A batch would ask all workers.
    const batch = isSharded ? undefined : batchLookups(shared);
    return ({ name, common, held, competing }: Omit<Views, 'of'>): View => {
      const tenant = tenantOf(limits, {
        held,
        competing,
        ...(!limits.isApart && { common }),
      });
      return { tenant, database: openView(limits, batch, { tenant, name }) };
    };
  };
  const openers: Record<Workload, (slots: Omit<Views, 'of'>) => View> = {
    records: viewOpener(workloads.records),
    search: viewOpener(workloads.search),
    batch: viewOpener(workloads.batch),
    jobs: viewOpener(workloads.jobs),
    internal: viewOpener(workloads.internal),
  };
  const tenants = new LRUCache<string, Views>({
    ...atMost(maxTenants),
    // The share of those that hold or wait for connections, who are few, is not forgotten.
    disposeAfter(views, name, reason) {
      if (reason === 'evict' && isInUse(views)) tenants.set(name, views);
    },
  });
  const viewOf = (name: string, workload: Workload): Database => {
    let views = tenants.get(name);
    if (!views) {
      const common = { active: 0, share: slotsOf(shareOfTenant) };
      views = { name, common, held: { active: 0 }, competing: { active: 0 }, of: {} };
      tenants.set(name, views);
    }
    views.of[workload] ??= openers[workload](views);
    return views.of[workload].database;
  };
  const root = openView(unlimited, isSharded ? undefined : batchLookups());
  return root;
}

/** The database of one workload of a tenant, and all of them. */
type View = { tenant: Tenant; database: Database };
type NamedTenant = { tenant: Tenant; name: string };
type Views = {
  name: string;
  common: CommonSlots;
  held: HeldSlots;
  /** Without those of the service itself. */
  competing: HeldSlots;
  of: Partial<Record<Workload, View>>;
};

function isInUse({ of }: Views): boolean {
  return Object.values(of).some(({ tenant }) => tenant.active > 0 || tenant.waiting.length > 0);
}

type WithSession = <Result>(execute: (session: Session) => Promise<Result>) => Promise<Result>;

function queryable(
  on: WithSession,
  { secrets = noSecrets, isSharded = false }: DatabaseOptions,
  rest: (readMs: number) => void,
): Queryable {
  const execute = <Row>(query: Query): Promise<Row[]> => {
    const { budget } = query;
    if (!budget) return on((session) => session.execute<Row>(query));
    return on(async (session) => {
      try {
        return await session.execute<Row>(query);
      } finally {
        // Before the session is released, which starts the tenant's next statement.
        const readMs = budget.takeLongMs();
        if (readMs > 0) rest(readMs);
      }
    });
  };
  const query = <Row>(text: string, values: readonly unknown[] = [], budget?: ReadBudget) =>
    execute<Row>({ name: statementName(text), text, values, budget });
  return {
    query,
    lookup: async <Row extends object>({ text }: Lookup, values: readonly unknown[]) =>
      (await query<Row>(text, values))[0],
    queryUnprepared: <Row>(text: string, values: readonly unknown[] = [], budget?: ReadBudget) =>
      execute<Row>({ text, values, budget }),
    rawQuery: (text, values) => on((session) => session.rawQuery(text, values)),
    secrets,
    isSharded,
  };
}

const statementNames = new Map<string, string>();

function statementName(text: string): string {
  let name = statementNames.get(text);
  if (name === undefined) {
    name = createHash('sha256').update(text).digest('base64url').slice(0, 22);
    statementNames.set(text, name);
  }
  return name;
}
