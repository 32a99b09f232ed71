import { Command } from 'commander';
import { listProviders } from '../auth/providers.ts';
import { loadConfig } from '../config.ts';
import { joinSupervisor } from '../platform/processes/supervised.ts';
import { settingsHelp } from './settings-help.ts';
import type { OpenDatabase } from './with-database.ts';

export function serveCommand(): Command {
  return new Command('serve')
    .description('serve the configured database, with no demo data and no default credential')
    .addHelpText('after', settingsHelp)
    .action(async () => {
      const config = loadConfig(process.env);
      const supervised = joinSupervisor();
      if (supervised) {
        const { runSupervised } = await import('./run-service.ts');
        return runSupervised(config, supervised);
      }
      let hasProvider = false;
      const prepare = async (db: OpenDatabase) => {
        hasProvider = (await listProviders(db)).length > 0;
      };
      // Imported on demand: most commands do not need the service, nor does a supervisor.
      if (config.PROCESSES > 1) {
        const { runProcesses } = await import('./run-processes.ts');
        await runProcesses(config, prepare);
      } else {
        const { runService } = await import('./run-service.ts');
        await runService(config, { allowDemoCredentials: false, prepare });
      }
      if (hasProvider) return;
      process.stderr.write(
        'There is no asset provider yet: make one with "motorpool provider add CC CODE --name NAME".\n',
      );
    });
}
