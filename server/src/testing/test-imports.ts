import { rmSync, writeFileSync } from 'node:fs';
import { BlockList } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach } from 'vitest';
import { compose } from '../compose.ts';
import type { Dependencies } from '../fleet/dependencies.ts';
import { inspectCsv } from '../fleet/imports/csv-file.ts';
import { importVehicles } from '../fleet/imports/vehicle-import.ts';
import { fileStore } from '../platform/blobs/file-store.ts';
import { type Database, openDatabase } from '../platform/db/database.ts';
import { createTestDatabase } from './test-database.ts';

const provider = { id: 'DE-ABC', countryCode: 'DE', code: 'ABC' };
const file = join(tmpdir(), `motorpool-import-${process.pid}.csv`);

/** Imports into a database of their own, until the tests of the file end; each begins without vehicles. */
export async function createTestImports() {
  const database = await createTestDatabase();
  const { connection, isSharded } = database;
  const db = openDatabase(connection, { poolSize: 1, statementTimeoutMs: 60_000, isSharded });
  const composed = await compose({
    db,
    owner: db,
    blobs: fileStore(tmpdir()),
    settings: {
      uploadLimitBytes: 1_000,
      auditRetentionDays: 730,
      eventsRetentionDays: 7,
      webhookNetworks: new BlockList(),
      historyDays: 1_100,
      chargingGapMs: 900_000,
    },
    runsJobs: false,
    onError: (error) => {
      throw error;
    },
  });
  afterAll(async () => {
    rmSync(file, { force: true });
    await composed.queue.close();
    await db.close();
    await database.drop();
  });
  beforeEach(async () => {
    await db.query('delete from vehicles');
  });

  async function runImport(
    content: string | Buffer,
    skipFaulty = false,
    dryRun = false,
    dependencies: Pick<Dependencies, 'db'> = composed.dependencies,
  ) {
    writeFileSync(file, content);
    const interruption = new AbortController().signal;
    const all = { ...composed.dependencies, ...dependencies };
    return importVehicles(all, provider, await inspectCsv(file), {
      skipFaulty,
      dryRun,
      interruption,
    });
  }

  /** A database that keeps the statements of its transactions. */
  function recordedDatabase() {
    const statements: string[] = [];
    const unprepared: string[] = [];
    const recorded: Database = {
      ...db,
      transaction: (work) =>
        db.transaction((tx) =>
          work({
            ...tx,
            query(text, values) {
              statements.push(text);
              return tx.query(text, values);
            },
            queryUnprepared(text, values) {
              unprepared.push(text);
              return tx.queryUnprepared(text, values);
            },
          }),
        ),
    };
    return { statements, unprepared, recorded };
  }

  const vehicles = () =>
    db.query(
      `select v.id, vendor, model, active, odometer, lat, lng from vehicles v
       left join vehicle_statuses s on s.provider = v.provider and s.vehicle_id = v.id order by v.id`,
    );
  const ids = async () =>
    (await db.query<{ id: string }>('select id from vehicles')).map((v) => v.id);

  return { db, composed, runImport, recordedDatabase, vehicles, ids };
}
