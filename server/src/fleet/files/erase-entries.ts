import type { Queryable } from '../../platform/db/database.ts';
import {
  type CustomerKey,
  type ErasedBatch,
  type ErasureBatch,
  isCustomer,
} from '../customer-data.ts';

// Only what is surely the type of a file: a name may have a dot, too.
const knownExtension =
  '\\.(?:pdf|jpe?g|png|gif|webp|avif|heic|tiff?|txt|csv|docx?|xlsx?|odt|ods|eml|msg|xml|json|zip|mp4|mov)$';

/**
 * In SQL: erases a customer from the entries of a table and the names of their files; `changes` clears their texts, and
 * `derived` is a table of what was made of their files, which is deleted.
 */
export function eraseEntries(table: string, owner: string, changes: string, derived?: string) {
  // Locked by a statement before: what another transaction has added to them by then is seen by the next.
  const lockEntries = `
    select vehicle_id, id from ${table} t where ${isCustomer('t')}
    order by vehicle_id, id limit $5 for update`;
  const erase = `
    with erased as (
      update ${table} t set ${changes}, customer_country_code = null, customer_provider_code = null,
        customer_id = null, version = t.version + 1, updated_at = $4
      from unnest($2::text[], $3::uuid[]) chosen (vehicle_id, id)
      where t.provider = $1 and t.vehicle_id = chosen.vehicle_id and t.id = chosen.id
      returning t.id
    ), renamed as (
      update blobs b set filename = 'file' || coalesce(substring(lower(b.filename) from '${knownExtension}'), '')
      from erased where b.provider = $1 and b.owner = '${owner}' and b.entry_id = erased.id
      returning b.uuid
    )${derived ? `, deleted as (delete from ${derived} d using renamed where d.provider = $1 and d.blob_uuid = renamed.uuid)` : ''}
    select count(*) as count from erased`;
  return async (
    tx: Queryable,
    customer: CustomerKey,
    { limit, now }: ErasureBatch,
  ): Promise<ErasedBatch> => {
    const entries = await tx.query<{ vehicle_id: string; id: string }>(lockEntries, [
      ...customer,
      limit,
    ]);
    if (entries.length === 0) return { records: 0, isFull: false };
    const [providerId] = customer;
    const vehicleIds = entries.map(({ vehicle_id }) => vehicle_id);
    const ids = entries.map(({ id }) => id);
    const [row] = await tx.query<{ count: number }>(erase, [providerId, vehicleIds, ids, now]);
    return { records: row?.count ?? 0, isFull: entries.length === limit };
  };
}
