import { addClient } from '../../server/src/auth/clients.ts';
import { addProvider } from '../../server/src/auth/providers.ts';
import { storedItem } from '../../server/src/fleet/vehicles/vehicle-item.ts';
import type { Database } from '../../server/src/platform/db/database.ts';
import type { Access } from './data-set.ts';

/** The others have no clients. */
const queriedProviders = 100;

/** Distributes the vehicles of one provider and their records over many; a superuser does so without checks of foreign keys. */
export async function spreadOverProviders(
  db: Database,
  superuser: Database,
  from: string,
  count: number,
): Promise<Access[]> {
  const ids = Array.from({ length: count }, (_, number) => providerIdOf(number));
  const accesses: Access[] = [];
  for (const id of ids.slice(0, queriedProviders)) {
    await db.transaction((tx) => addProvider(tx, id, 'Bench'));
    const client = await addClient(db, id, { name: 'Bench' });
    const [countryCode = '', code = ''] = id.split('-');
    accesses.push({
      provider: { id, countryCode, code },
      clientId: client.id,
      clientSecret: client.secret ?? '',
    });
  }
  await superuser.transaction(async (tx) => {
    await tx.queryUnprepared(
      `insert into providers (id, name) select id, 'Bench' from unnest($1::text[]) id
       on conflict do nothing`,
      [ids],
    );
    // Foreign keys hold again only when all tables are updated.
    await tx.queryUnprepared('set local session_replication_role = replica');
    const tables = await tx.queryUnprepared<{ name: string }>(
      `select c.relname as name from pg_class c join pg_attribute a on a.attrelid = c.oid
       where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')
         and not c.relispartition and a.attname = 'vehicle_id'`,
    );
    for (const [table, id] of [
      ['vehicles', 'id'],
      ...tables.map(({ name }) => [name, 'vehicle_id']),
    ]) {
      await tx.queryUnprepared(
        `update ${table} set provider = ($1::text[])[1 + right(${id}, 7)::int % $2::int] where provider = $3 and ${id} is not null`,
        [ids, count, from],
      );
    }
    // The item contains the codes of the provider.
    await tx.queryUnprepared(`update vehicles v set item = ${storedItem()}`);
  });
  return accesses;
}

function providerIdOf(number: number): string {
  return `DE-${number.toString(36).toUpperCase().padStart(3, '0')}`;
}
