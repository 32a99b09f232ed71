import { Command } from 'commander';
import { loadConfig } from '../config.ts';
import { listenForInterruption } from './interruption.ts';

export function restoreCommand(): Command {
  return new Command('restore')
    .description('load a backup into an empty database and the configured store of files')
    .argument('<FILE>', 'what backup has written; - for standard input')
    .action(async (file: string) => {
      const config = loadConfig(process.env);
      const { signal, release } = listenForInterruption();
      try {
        // Imported on demand: it loads the modules of the fleet.
        const { readBackup } = await import('./read-backup.ts');
        for (const sentence of await readBackup(config, file, signal))
          process.stdout.write(`${sentence}\n`);
      } finally {
        release();
      }
    });
}
