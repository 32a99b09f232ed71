import { Command } from 'commander';
import { loadConfig } from '../config.ts';
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
      const sentences = await withDatabase((db, interruption) =>
        writeBackup(db, config, file, interruption),
      );
      const output = file === '-' ? process.stderr : process.stdout;
      for (const sentence of sentences) output.write(`${sentence}\n`);
    });
}
