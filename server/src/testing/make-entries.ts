import type { Queryable } from '../platform/db/database.ts';

/** What can have files; the segment stands in their paths. */
export type EntryKind = 'logbook' | 'incidents' | 'checklist';

const inserts: Record<EntryKind, string> = {
  logbook: `insert into logbook_entries (provider, vehicle_id, date, category, title)
            values ($1, $2, '2026-10-28', 'other', 'Washed') returning id`,
  incidents: `insert into incidents (provider, vehicle_id, title, vehicle_operable, is_resolved)
              values ($1, $2, 'Scratched', true, false) returning id`,
  checklist: `insert into checklist_entries (provider, vehicle_id, position, ordinal, title, type)
              values ($1, $2, 0, 0, 'Tyres', 'check') returning id`,
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
