import { Command } from 'commander';
import {
  addClient,
  type Credentials,
  disableClient,
  listClients,
  requireRedirectUri,
  rotateClient,
} from '../auth/clients.ts';
import { providerId, requireProvider } from '../auth/providers.ts';
import { type Role, roles } from '../platform/http/principal.ts';
import { UserError } from '../platform/user-error.ts';
import { parseExpiry, parseName, parseProvider, parseRole } from './arguments.ts';
import { printRows } from './table.ts';
import { withDatabase } from './with-database.ts';

type JsonOption = { json?: boolean };
type ProviderOption = { provider?: string };
type AddOptions = JsonOption & {
  name: string;
  redirectUri: string[];
  logoutUri: string[];
  public?: boolean;
  role: Role;
  network: string[];
  expires?: Date;
};

export function clientCommand(): Command {
  const client = new Command('client').description(
    'clients of the interface: their ids and secrets',
  );

  client
    .command('add')
    .description('issue a client id and a secret, which is shown this once')
    .argument('<CC>', 'country code of the asset provider')
    .argument('<CODE>', 'code of the asset provider')
    .requiredOption('--name <name>', 'what people call it', parseName)
    .option(
      '--redirect-uri <uri>',
      'where the authorization code flow, which needs PKCE, may return to; repeatable',
      collect,
      [],
    )
    .option('--logout-uri <uri>', 'where a logout may return to; repeatable', collect, [])
    .option('--role <role>', `what it may do: ${roles.join(', ')}`, parseRole, 'editor')
    .option(
      '--network <network>',
      'from where it may call, such as 192.0.2.0/24; repeatable',
      collect,
      [],
    )
    .option('--expires <date>', 'until when, such as 2027-12-31', parseExpiry)
    .option('--public', 'a page or an app, which cannot keep a secret')
    .option('--json', 'print JSON')
    .action(async (countryCode: string, code: string, options: AddOptions) => {
      const provider = providerId(countryCode, code);
      for (const uri of [...options.redirectUri, ...options.logoutUri]) requireRedirectUri(uri);
      if (options.public && options.redirectUri.length === 0) {
        throw new UserError(
          'A public client needs a --redirect-uri: signing a person in is all that it can do.',
        );
      }
      const credentials = await withDatabase(async (db) => {
        await requireProvider(db, provider);
        return addClient(db, provider, {
          name: options.name,
          redirectUris: options.redirectUri,
          postLogoutRedirectUris: options.logoutUri,
          isPublic: options.public ?? false,
          role: options.role,
          networks: options.network,
          ...(options.expires && { expiresAt: options.expires }),
        });
      });
      printCredentials(credentials, options);
    });

  client
    .command('list')
    .description('list the clients, without their secrets')
    .option(
      '--provider <CC-CODE>',
      'only those of one asset provider, such as DE-ABC',
      parseProvider,
    )
    .option('--json', 'print JSON')
    .action(async (options: JsonOption & ProviderOption) =>
      printRows(
        await withDatabase(async (db) => {
          if (options.provider) await requireProvider(db, options.provider);
          return listClients(db, options.provider);
        }),
        options,
      ),
    );

  client
    .command('rotate')
    .description('replace the secret of a client; the old one is refused from then on')
    .argument('<ID>', 'client id')
    .option(
      '--provider <CC-CODE>',
      'whose client, where several have one of this id',
      parseProvider,
    )
    .option('--json', 'print JSON')
    .action(async (id: string, options: JsonOption & ProviderOption) =>
      printCredentials(await withDatabase((db) => rotateClient(db, id, options.provider)), options),
    );

  client
    .command('disable')
    .description('refuse a client and the tokens that it holds')
    .argument('<ID>', 'client id')
    .option(
      '--provider <CC-CODE>',
      'whose client, where several have one of this id',
      parseProvider,
    )
    .action(async (id: string, options: ProviderOption) => {
      await withDatabase((db) => disableClient(db, id, options.provider));
      process.stdout.write(`Disabled ${id}.\n`);
    });

  return client;
}

function collect(value: string, before: string[]): string[] {
  return [...before, value];
}

function printCredentials({ id, secret }: Credentials, { json }: JsonOption): void {
  if (json) process.stdout.write(`${JSON.stringify({ clientId: id, clientSecret: secret })}\n`);
  else if (secret === undefined) process.stdout.write(`client_id      ${id}\n`);
  else
    process.stdout.write(
      `client_id      ${id}\nclient_secret  ${secret}\nThe secret is not shown again.\n`,
    );
}
