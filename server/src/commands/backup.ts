import { resolve } from 'node:path';
import { Command } from 'commander';
import { loadConfig } from '../config.ts';
import { hasEmbeddedDatabase } from '../platform/db/embedded/embedded-database.ts';
import { UserError } from '../platform/user-error.ts';
import { withDatabase } from './with-database.ts';

export function backupCommand(): Command {
  return new Command('backup')
    .description(
      'write the database and the stored files to one file, also while the service runs; restore takes it back',
    )
    .argument('<FILE>', 'such as motorpool.tar.gz; - for standard output')
    .action(async (file: string) => {
      // Imported on demand: most commands do not need them.
      const { writeBackup } = await import('./write-backup.ts');
      const config = loadConfig(process.env);
      if (config.DATABASE_URL === undefined && !hasEmbeddedDatabase(config.DATA_DIR))
        throw new UserError(
          `There is no database in DATA_DIR, ${resolve(config.DATA_DIR)}: set the one that the service has, or its DATABASE_URL.`,
        );
      const sentences = await withDatabase((db, interruption) =>
        writeBackup(db, config, file, interruption),
      );
      const output = file === '-' ? process.stderr : process.stdout;
      for (const sentence of sentences) output.write(`${sentence}\n`);
    });
}
