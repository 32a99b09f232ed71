import { memoizeByIdentity } from '../memoize-by-identity.ts';
import { activeTracing } from '../tracing/tracing.ts';
import { Overloaded } from './admission-queue.ts';
import { breaksConnection } from './connection-pool.ts';
import { recordStatement } from './statement-span.ts';

/** A statement that finds one row at most. */
export type Lookup = {
  text: string;
  /** The SQL types of $1, $2… */
  parameters: readonly string[];
};

export type Execute = <Row>(text: string, values: readonly unknown[]) => Promise<Row[]>;

type PendingLookup = {
  /** For its tenant. */
  execute: Execute;
  values: readonly unknown[];
  resolve: (row: object | undefined) => void;
  reject: (error: unknown) => void;
};

// All lookups of a batch wait for the slowest of them.
const maxBatchSize = 8;

/**
 * Executes equal lookups of one turn of the event loop as one statement: docs/decisions/0021-lookup-batching.md. Those of
 * a tenant that has several share a statement among themselves, so that others do not wait for all of them; without
 * `executeForSeveral`, tenants share none.
 */
export function batchLookups(executeForSeveral?: Execute) {
  const queued = new Map<Lookup, PendingLookup[]>();

  const flush = () => {
    const batches = [...queued];
    queued.clear();
    for (const [lookup, pending] of batches) {
      const single: PendingLookup[] = [];
      for (const [execute, ofTenant] of Map.groupBy(pending, (one) => one.execute)) {
        if (ofTenant.length > 1 || !executeForSeveral) executeInBatches(execute, lookup, ofTenant);
        else single.push(...ofTenant);
      }
      const [first, second] = single;
      const execute = second ? executeForSeveral : first?.execute;
      if (execute) executeInBatches(execute, lookup, single);
    }
  };

  const schedule = () => {
    const tracing = activeTracing();
    // It is a statement of all, and has no part in the trace of the first.
    if (tracing) tracing.detach(() => setImmediate(flush));
    else setImmediate(flush);
  };

  return (execute: Execute) =>
    <Row extends object>(lookup: Lookup, values: readonly unknown[]) => {
      const found = new Promise<Row | undefined>((resolve, reject) => {
        if (queued.size === 0) schedule();
        const pending = { execute, values, resolve: resolve as PendingLookup['resolve'], reject };
        const queue = queued.get(lookup);
        if (queue) queue.push(pending);
        else queued.set(lookup, [pending]);
      });
      return recordStatement(lookup.text, found);
    };
}

function executeInBatches(
  execute: Execute,
  lookup: Lookup,
  pending: readonly PendingLookup[],
): void {
  for (let from = 0; from < pending.length; from += maxBatchSize)
    void executeBatch(execute, lookup, pending.slice(from, from + maxBatchSize));
}

async function executeBatch(
  execute: Execute,
  lookup: Lookup,
  pending: readonly PendingLookup[],
): Promise<void> {
  const [first] = pending;
  if (first && pending.length === 1) {
    execute<object>(lookup.text, first.values).then(([row]) => first.resolve(row), first.reject);
    return;
  }
  try {
    const records = pending.map(({ values }) => ({ ...values }));
    const rows = await execute<{ lookup_position: number }>(batchedText(lookup), [
      JSON.stringify(records),
    ]);
    const found = new Map(rows.map((row) => [row.lookup_position, row]));
    for (const [index, { resolve }] of pending.entries()) resolve(found.get(index + 1));
  } catch (error) {
    for (const one of pending) {
      if (mayBeOfAnother(error, one.execute === execute))
        void executeBatch(one.execute, lookup, [one]);
      else one.reject(error);
    }
  }
}

/** Whether only another lookup of the batch may have failed: the database refused its value, or it took too long. */
function mayBeOfAnother(error: unknown, isOwnStatement: boolean): boolean {
  if (error instanceof Overloaded) return error.scope === 'tenant' && !isOwnStatement;
  return !breaksConnection(error);
}

const batchedText = memoizeByIdentity(({ text, parameters }: Lookup): string => {
  const names = parameters.map((_, index) => `"${index}"`);
  const columns = parameters.map((type, index) => `${names[index]} ${type}`);
  const one = text.replaceAll(/\$(\d+)/g, (_, number) => `pending.${names[Number(number) - 1]}`);
  // Without the limit the planner expects a hundred rows, and would scan a small table.
  return `
    select found.*, pending.lookup_position::int from (
      select * from rows from (json_to_recordset($1) as (${columns.join(', ')}))
        with ordinality as pending (${names.join(', ')}, lookup_position) limit ${maxBatchSize}
    ) as pending, lateral (${one}) as found`;
});
