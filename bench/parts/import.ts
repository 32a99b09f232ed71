import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { vehicleTables, vehicleValueFields } from '../../server/src/fleet/vehicles/public.ts';
import { vehicleFields } from '../../server/src/fleet/vehicles/vehicle-fields.ts';
import { storedItem } from '../../server/src/fleet/vehicles/vehicle-item.ts';
import { openEmbedded } from '../../server/src/platform/db/embedded/embedded-database.ts';
import { dataFolder, importFleet } from '../data/data-set.ts';
import { vehicleAt } from '../data/vehicles.ts';
import { withDatabase } from '../database.ts';
import { log } from '../log.ts';

export type ImportResult = { vehicles: number; perSecond: number; copyPerSecond: number };

/** `motorpool import vehicles` into an empty database, and the same by PostgreSQL alone. */
export async function measureImport(vehicles: number): Promise<ImportResult> {
  const folder = join(dataFolder, 'import');
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder);
  try {
    const perSecond = vehicles / (await importFleet(folder, vehicles));
    const copyPerSecond = vehicles / (await copyFleet(folder));
    log(`import: ${Math.round(perSecond)}/s, COPY: ${Math.round(copyPerSecond)}/s`);
    return { vehicles, perSecond, copyPerSecond };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** COPY of the same file, and inserts into the same tables, without validation; returns the seconds. */
async function copyFleet(folder: string): Promise<number> {
  const columns = Object.keys(vehicleAt(0, '')).map((name) => columnOf(name));
  const namesOf = (table: 'v' | 's') =>
    columns
      .filter((column) => column.startsWith(`${table}.`))
      .map((column) => column.slice(2))
      .join(', ');
  const file = join(folder, 'vehicles.csv');
  const database = await openEmbedded(folder, 'command');
  try {
    return await withDatabase(database.superuser, async (db) => {
      await db.queryUnprepared('delete from vehicles');
      await db.queryUnprepared('vacuum full vehicles, vehicle_statuses');
      const startedAt = performance.now();
      await db.transaction(async (tx) => {
        // With all columns, as the item has more than the file.
        const all = vehicleValueFields.filter(({ column }) => /^[vs]\.\w+$/.test(column));
        await tx.queryUnprepared(
          `create temporary table line on commit drop as
           select ${all.map(({ column }) => column).join(', ')} from ${vehicleTables} limit 0`,
        );
        await tx.queryUnprepared(
          `copy line (${columns.map((column) => column.slice(2)).join(', ')}) from '${file}' with (format csv, header)`,
        );
        await tx.queryUnprepared(
          `insert into vehicles (provider, ${namesOf('v')}, created_at, updated_at, item)
           select provider, ${namesOf('v')}, now(), now(), ${storedItem()}
           from (select (select id from providers) as provider, line.* from line) v`,
        );
        await tx.queryUnprepared(
          `insert into vehicle_statuses (provider, vehicle_id, ${namesOf('s')})
           select (select id from providers), id, ${namesOf('s')} from line`,
        );
      });
      return (performance.now() - startedAt) / 1_000;
    });
  } finally {
    await database.close();
  }
}

/** The column of a field in the tables of the service, `v` or `s`. */
function columnOf(name: string): string {
  const field = vehicleFields.find(({ path }) => path.endsWith(`.${name}`));
  if (!field) throw new Error(`${name} is no field of a vehicle.`);
  return field.column;
}
