import { Command } from 'commander';
import { rotateKey } from '../auth/keys.ts';
import {
  addProvider,
  disableProvider,
  enableProvider,
  listProviders,
  providerId,
  removeProvider,
  requireProvider,
} from '../auth/providers.ts';
import { loadConfig } from '../config.ts';
import { UserError } from '../platform/user-error.ts';
import { parseName } from './arguments.ts';
import { serviceUrl } from './service-url.ts';
import { printRows } from './table.ts';
import { withDatabase } from './with-database.ts';

export function providerCommand(): Command {
  const provider = new Command('provider').description('asset providers');

  provider
    .command('add')
    .description(
      'make an asset provider, and with it its realm; a running service serves it at once',
    )
    .argument('<CC>', 'country code, two capital letters')
    .argument('<CODE>', 'provider code, three capital letters or digits')
    .requiredOption('--name <name>', 'what people call it', parseName)
    .action(async (countryCode: string, code: string, { name }: { name: string }) => {
      const id = providerId(countryCode, code);
      await withDatabase((db) => db.transaction((tx) => addProvider(tx, id, name)));
      process.stdout.write(`Added ${id}. Next:\n${nextSteps(countryCode, code)}`);
    });

  provider
    .command('list')
    .description('list the asset providers')
    .option('--json', 'print JSON')
    .action(async (options: { json?: boolean }) =>
      printRows(await withDatabase(listProviders), options),
    );

  provider
    .command('disable')
    .description('refuse every token of an asset provider from now on; its data stays')
    .argument('<CC>', 'country code')
    .argument('<CODE>', 'provider code')
    .action(async (countryCode: string, code: string) => {
      const id = providerId(countryCode, code);
      await withDatabase((db) => disableProvider(db, id));
      process.stdout.write(`Disabled ${id}.\n`);
    });

  provider
    .command('enable')
    .description('serve a disabled asset provider again')
    .argument('<CC>', 'country code')
    .argument('<CODE>', 'provider code')
    .action(async (countryCode: string, code: string) => {
      const id = providerId(countryCode, code);
      await withDatabase((db) => enableProvider(db, id));
      process.stdout.write(`Enabled ${id}.\n`);
    });

  provider
    .command('remove')
    .description('delete an asset provider that has no vehicles, with its clients and users')
    .argument('<CC>', 'country code')
    .argument('<CODE>', 'provider code')
    .option('--yes', 'say that it is meant')
    .action(async (countryCode: string, code: string, { yes }: { yes?: boolean }) => {
      const id = providerId(countryCode, code);
      if (!yes)
        throw new UserError(
          `This deletes ${id} with its clients and users: say --yes if you mean it.`,
        );
      await withDatabase(async (db) => {
        await requireProvider(db, id);
        await db.transaction((tx) => removeProvider(tx, id));
      });
      process.stdout.write(`Removed ${id}.\n`);
    });

  provider
    .command('rotate-key')
    .description(
      'sign the realm’s tokens with a new key; the old one is served until its tokens have died',
    )
    .argument('<CC>', 'country code')
    .argument('<CODE>', 'provider code')
    .option('--now', 'refuse the tokens of the old key at once, such as when it was stolen')
    .action(async (countryCode: string, code: string, { now = false }: { now?: boolean }) => {
      const id = providerId(countryCode, code);
      const kid = await withDatabase(async (db) => {
        await requireProvider(db, id);
        return db.transaction((tx) => rotateKey(tx, id, { dropPrevious: now }));
      });
      process.stdout.write(`${id} signs with key ${kid} now.\n`);
    });

  return provider;
}

function nextSteps(countryCode: string, code: string): string {
  const console = `${serviceUrl(loadConfig(process.env))}/console/${countryCode}-${code}`;
  return (
    `  motorpool client add ${countryCode} ${code} --name NAME                 a program\n` +
    `  motorpool user invite ${countryCode} ${code} USERNAME --role admin      a person, who signs in at ${console}\n`
  );
}
