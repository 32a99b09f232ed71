import { Command } from 'commander';
import { rotateKey } from '../auth/keys.ts';
import {
  addProvider,
  disableProvider,
  enableProvider,
  hasTrail,
  listProviders,
  providerId,
  removeProvider,
  requireProvider,
} from '../auth/providers.ts';
import { loadConfig } from '../config.ts';
import { UserError } from '../platform/user-error.ts';
import { parseName } from './arguments.ts';
import { takeProvider } from './provider-words.ts';
import { serviceUrl } from './service-url.ts';
import { printRows } from './table.ts';
import { withDatabase } from './with-database.ts';

type AddOptions = { name: string; withTrail?: boolean };

export function providerCommand(): Command {
  const provider = new Command('provider').description('asset providers');

  /** A command on one asset provider. */
  function onProvider(name: string, description: string): Command {
    return takeProvider(provider.command(name).description(description));
  }

  onProvider(
    'add',
    'make an asset provider, and with it its realm; a running service serves it at once',
  )
    .requiredOption('--name <name>', 'what people call it', parseName)
    .option(
      '--with-trail',
      'let its administrators read the audit trail of an earlier one with its code',
    )
    .action(async (countryCode: string, code: string, { name, withTrail }: AddOptions) => {
      const id = providerId(countryCode, code);
      await withDatabase((db) =>
        db.transaction(async (tx) => {
          // Before it is added, which is recorded.
          const isTrailKept = await hasTrail(tx, id);
          await addProvider(tx, id, name);
          if (isTrailKept && !withTrail)
            throw new UserError(
              `The audit trail of an earlier asset provider ${id} is still kept, and the administrators of the new one would read it: ` +
                'say --with-trail if you mean that.',
            );
        }),
      );
      process.stdout.write(`Added ${id}. Next:\n${nextSteps(countryCode, code)}`);
    });

  provider
    .command('list')
    .description('list the asset providers')
    .option('--json', 'print JSON')
    .action(async (options: { json?: boolean }) =>
      printRows(await withDatabase(listProviders), options),
    );

  onProvider(
    'disable',
    'refuse every token of an asset provider from now on; its data stays',
  ).action(async (countryCode: string, code: string) => {
    const id = providerId(countryCode, code);
    await withDatabase((db) => disableProvider(db, id));
    process.stdout.write(`Disabled ${id}.\n`);
  });

  onProvider('enable', 'serve a disabled asset provider again').action(
    async (countryCode: string, code: string) => {
      const id = providerId(countryCode, code);
      await withDatabase((db) => enableProvider(db, id));
      process.stdout.write(`Enabled ${id}.\n`);
    },
  );

  onProvider(
    'remove',
    'delete an asset provider that has no vehicles and no invoices, with its clients and users',
  )
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

  onProvider(
    'rotate-key',
    'sign the realm’s tokens with a new key; the old one is served until its tokens have died',
  )
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
