// PostgreSQL grants a shared lock of a row past a deletion that waits for it, so that a deletion could wait for as
// long as writers come. Advisory locks queue. They are of groups, as a batch has more vehicles than there are locks.
const groups = 64;

/** In SQL: waits for the writers of the vehicle that are under way, and lets later ones wait. */
export function deletionLock(provider: string, id: string): string {
  return `pg_advisory_xact_lock(hashtext(${provider}), hashtext(${id}) & ${groups - 1})`;
}

/** In SQL: waits for the writers of the provider that check its VINs; held to the end of the transaction. */
export function vinLock(provider: string): string {
  return `pg_advisory_xact_lock(hashtext(${provider}), ${groups})`;
}

/** In SQL: true, once the deletions of these vehicles that came before have ended; later ones wait. */
export function heldOffDeletion(provider: string, ids: string): string {
  return `(
    select count(pg_advisory_xact_lock_shared(hashtext(${provider}), "group")) > 0
    from (select distinct hashtext(id) & ${groups - 1} as "group" from (select ${ids} as id) one order by 1) locked
  )`;
}
