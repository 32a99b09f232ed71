import type { Database } from '../platform/db/database.ts';

/** All that a handler is given besides its input. */
export type Dependencies = { db: Database };
