import { Command } from 'commander';
import { listProviders } from '../auth/providers.ts';
import { loadConfig } from '../config.ts';
import { runService } from './run-service.ts';

export function serveCommand(): Command {
  return new Command('serve')
    .description('serve the configured database, with no demo data and no default credential')
    .action(async () => {
      await runService(loadConfig(process.env), {
        honourDemo: false,
        async prepare(db) {
          const providers = await listProviders(db);
          if (providers.length > 0) return;
          process.stderr.write(
            'There is no asset provider yet: make one with "motorpool provider add CC CODE --name NAME".\n',
          );
        },
      });
    });
}
