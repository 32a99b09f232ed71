import { Command } from 'commander';
import { withDatabase } from './with-database.ts';

export function migrateCommand(): Command {
  return new Command('migrate')
    .description('bring the database to the newest schema and stop')
    .action(async () => {
      const applied = await withDatabase(async (db) => db.migrationsApplied);
      process.stdout.write(
        applied === 0
          ? 'The schema is the newest already.\n'
          : `Migrated: ${applied} step${applied === 1 ? '' : 's'}.\n`,
      );
    });
}
