import { Command } from 'commander';
import { loadConfig } from '../config.ts';
import { openFor } from './with-database.ts';

export function migrateCommand(): Command {
  return new Command('migrate')
    .description('bring the database to the newest schema and stop')
    .action(async () => {
      const db = await openFor(loadConfig(process.env), 'command');
      await db.close();
      const steps = db.migrationsApplied;
      process.stdout.write(
        steps === 0
          ? 'The schema is the newest already.\n'
          : `Migrated: ${steps} step${steps === 1 ? '' : 's'}.\n`,
      );
    });
}
