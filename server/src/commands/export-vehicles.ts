import { Command } from 'commander';
import { providerId, requireProvider } from '../auth/providers.ts';
import { withDatabase } from './with-database.ts';

export function exportCommand(): Command {
  const command = new Command('export').description('take data out to a file');
  command
    .command('vehicles')
    .description(
      'write all vehicles of an asset provider, with their status, as CSV that import takes back',
    )
    .argument('<CC>', 'country code of the asset provider')
    .argument('<CODE>', 'code of the asset provider')
    .argument('[FILE]', 'where to; standard output when left out')
    .action(async (countryCode: string, code: string, file: string | undefined) => {
      // With the schemas it brings half of the program, which the other commands do without.
      const { exportVehicles } = await import('./vehicle-export.ts');
      const provider = providerId(countryCode, code);
      await withDatabase(async (db, interruption) => {
        await requireProvider(db, provider);
        await db.transaction((tx) => exportVehicles(tx, provider, file, interruption), 'read only');
      });
    });
  return command;
}
