import { Command } from 'commander';
import { listProviders } from '../auth/providers.ts';
import { loadConfig } from '../config.ts';

export function serveCommand(): Command {
  return new Command('serve')
    .description('serve the configured database, with no demo data and no default credential')
    .action(async () => {
      const config = loadConfig(process.env);
      // Imported on demand: most commands do not need the service.
      const { runService } = await import('./run-service.ts');
      let hasProvider = false;
      await runService(config, {
        allowDemoCredentials: false,
        async prepare(db) {
          hasProvider = (await listProviders(db)).length > 0;
        },
      });
      if (hasProvider) return;
      process.stderr.write(
        'There is no asset provider yet: make one with "motorpool provider add CC CODE --name NAME".\n',
      );
    });
}
