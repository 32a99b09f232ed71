import { memoizeByIdentity } from '../memoize-by-identity.ts';
import type { Database } from './database.ts';

/**
 * What all tenants of a process share, made when it is first needed. It is made of the database itself: the view of whoever
 * asks first may be a transaction's, which it would outlive.
 */
export function oncePerDatabase<Part>(create: (root: Database) => Part): (db: Database) => Part {
  const partOf = memoizeByIdentity(create);
  return ({ root }) => partOf(root);
}
