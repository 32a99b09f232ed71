import { ctidArray } from '../../platform/db/binary-arrays.ts';
import type { Queryable } from '../../platform/db/database.ts';
import type { SignalArrays } from './signal-arrays.ts';
import {
  type LockedStatus,
  type Status,
  type StatusRow,
  statusColumns,
  statusOf,
  statusSignalColumns,
  updateSignalsSql,
} from './status-store.ts';

// Statuses by the physical place of their rows, which saves the lookup by key (docs/decisions/0014-telemetry.md).
// A row keeps its ctid as long as this transaction has it locked and has not written it.

export async function readLocked(
  tx: Queryable,
  providerId: string,
  locked: readonly LockedStatus[],
): Promise<Map<string, Status>> {
  const rows = await tx.query<StatusRow>(selectByCtid, [providerId, ctidsOf(locked)]);
  return new Map(rows.map((row) => [row.vehicle_id, statusOf(row)]));
}

/** Writes signals that are newer than those that were known, each with its time. */
export async function updateLocked(
  tx: Queryable,
  providerId: string,
  locked: readonly LockedStatus[],
  signals: SignalArrays,
): Promise<void> {
  await tx.query(updateByCtid, [
    providerId,
    ctidsOf(locked),
    signals.times,
    ...signals.of(statusSignalColumns),
  ]);
}

function ctidsOf(locked: readonly LockedStatus[]): Buffer {
  return ctidArray(locked.map(({ ctid }) => ctid));
}

const selectByCtid = `select ${statusColumns} from vehicle_statuses s where s.provider = $1 and s.ctid = any($2::tid[])`;

const updateByCtid = updateSignalsSql(
  { name: 'ctid', type: 'tid' },
  's.provider = $1 and s.ctid = new.ctid',
);
