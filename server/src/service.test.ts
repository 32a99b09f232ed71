import { pino } from 'pino';
import { expect, onTestFinished, test } from 'vitest';
import { loadConfig } from './config.ts';
import { openDatabase } from './platform/db/database.ts';
import { UserError } from './platform/user-error.ts';
import { startFleet } from './service.ts';
import { createTestDatabase, urlOf } from './testing/test-database.ts';

test('a standby of a database that is distributed over workers is refused', async () => {
  const database = await createTestDatabase();
  const opened = openDatabase(database.connection, {
    poolSize: 1,
    statementTimeoutMs: 60_000,
    isSharded: true,
  });
  onTestFinished(async () => {
    await opened.close();
    await database.drop();
  });
  const db = {
    ...opened,
    owner: opened,
    hasSeparateRoles: true,
    ownerConnection: database.owner,
    migrationsApplied: 0,
  };
  const config = loadConfig({ DATABASE_READ_URL: urlOf(database.connection) });
  const started = startFleet(config, db, pino({ level: 'silent' }), false);
  await expect(started).rejects.toThrow(UserError);
  await expect(started).rejects.toThrow('DATABASE_READ_URL');
});
