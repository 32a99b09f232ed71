import type { Queryable } from '../platform/db/database.ts';

/** What can have files; the segment stands in their paths. */
export type EntryKind = 'logbook' | 'incidents' | 'checklist';

const inserts: Record<EntryKind, string> = {
  logbook: `insert into logbook_entries (provider, vehicle_id, date, category, title, created_at, updated_at)
            values ($1, $2, '2026-10-28', 'other', 'Washed', now(), now()) returning id`,
  incidents: `insert into incidents
                (provider, vehicle_id, title, vehicle_operable, is_resolved, report_timestamp, updated_at)
              values ($1, $2, 'Scratched', true, false, now(), now()) returning id`,
  checklist: `insert into checklist_entries
                (provider, vehicle_id, position, ordinal, title, type, created_at, updated_at)
              values ($1, $2, 0, 0, 'Tyres', 'check', now(), now()) returning id`,
};

/** One thing that can have files, with no more in it than it must have. Answers its id. */
export async function makeEntry(
  db: Queryable,
  owner: EntryKind,
  vehicleId: string,
  provider = 'DE-ABC',
): Promise<string> {
  const [row] = await db.query<{ id: string }>(inserts[owner], [provider, vehicleId]);
  if (!row) throw new Error('nothing was inserted');
  return row.id;
}
