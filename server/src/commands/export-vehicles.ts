import { Command } from 'commander';
import { providerId, requireProvider } from '../auth/providers.ts';
import { takeProvider } from './provider-words.ts';
import { withDatabase } from './with-database.ts';

export function exportCommand(): Command {
  const command = new Command('export').description('export data to a file');
  takeProvider(
    command
      .command('vehicles')
      .description(
        'write all vehicles of an asset provider, with their status, as CSV that import takes back',
      ),
  )
    .argument('[FILE]', 'where to; standard output when left out')
    .action(async (countryCode: string, code: string, file: string | undefined) => {
      // Imported on demand: it loads the schemas, which most commands do not need.
      const { exportVehicles } = await import('./vehicle-export.ts');
      const provider = providerId(countryCode, code);
      await withDatabase(async (db, interruption) => {
        await requireProvider(db, provider);
        await db.transaction((tx) => exportVehicles(tx, provider, file, interruption), 'read only');
      });
    });
  return command;
}
