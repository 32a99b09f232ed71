import type { Database } from '../platform/db/database.ts';

/** The database for what people and clients of a realm, which exists, ask of its authorization server: it waits with the same of no other. */
export function realmDatabase(db: Database, realm: string): Database {
  return db.forTenant(`authorization ${realm}`, 'internal');
}
