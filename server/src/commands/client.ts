import { Command } from 'commander';
import { type ClientSettings, requireValidClient } from '../auth/client-settings.ts';
import {
  addClient,
  type ClientRow,
  type Credentials,
  getClient,
  listClients,
  maxKeepPreviousHours,
  ownerOf,
  removeClient,
  rotateClient,
  setClientDisabled,
  setClientRole,
  updateClient,
} from '../auth/clients.ts';
import { providerId, requireProvider } from '../auth/providers.ts';
import type { Queryable } from '../platform/db/database.ts';
import { type Role, roles } from '../platform/http/principal.ts';
import { integerParser, parseExpiry, parseName, parseRole } from './arguments.ts';
import { takeOptionalProvider, takeProvider } from './provider-words.ts';
import { printRows } from './table.ts';
import { withDatabase } from './with-database.ts';

type JsonOption = { json?: boolean };
type ProviderOption = { provider?: string };
type AddOptions = JsonOption & {
  id?: string;
  name: string;
  redirectUri: string[];
  logoutUri: string[];
  public?: boolean;
  role: Role;
  network: string[];
  audience: string[];
  expires?: Date;
};

/** What is left out stays; false clears it. */
type EditOptions = ProviderOption & {
  name?: string;
  redirectUri?: string[] | false;
  logoutUri?: string[] | false;
  network?: string[] | false;
  audience?: string[] | false;
  expires?: Date | false;
};

export function clientCommand(): Command {
  const client = new Command('client').description(
    'clients of the interface: their ids and secrets',
  );

  takeProvider(
    client.command('add').description('issue a client id and a secret, which is shown this once'),
  )
    .requiredOption('--name <name>', 'what people call it', parseName)
    .option('--id <id>', 'the client id; made from the name by default')
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
    .option('--audience <name>', 'for whom else its tokens are; repeatable', collect, [])
    .option('--expires <date>', 'until when, such as 2027-12-31', parseExpiry)
    .option('--public', 'a page or an app, which cannot keep a secret')
    .option('--json', 'print JSON')
    .action(async (countryCode: string, code: string, options: AddOptions) => {
      const provider = providerId(countryCode, code);
      const settings = {
        id: options.id,
        name: options.name,
        redirectUris: options.redirectUri,
        postLogoutRedirectUris: options.logoutUri,
        isPublic: options.public,
        role: options.role,
        networks: options.network,
        audiences: options.audience,
        expiresAt: options.expires,
      };
      requireValidClient(settings, new Date());
      const credentials = await withDatabase(async (db) => {
        await requireProvider(db, provider);
        return addClient(db, provider, settings);
      });
      printCredentials(credentials, options);
    });

  takeOptionalProvider(
    client.command('list').description('list the clients, without their secrets'),
    'only those of one asset provider',
  )
    .option('--json', 'print JSON')
    .action(async (options: JsonOption & ProviderOption) =>
      printRows(
        await withDatabase(async (db) => {
          if (options.provider) await requireProvider(db, options.provider);
          const rows = await listClients(db, options.provider);
          return rows.map(({ version: _, postLogoutRedirectUris: __, ...row }) => row);
        }),
        options,
      ),
    );

  /** A command on one client. */
  function onClient(name: string, description: string, words: readonly string[] = []): Command {
    return takeOptionalProvider(
      client.command(name).description(description).argument('<ID>', 'client id'),
      'whose client, where several have one of this id',
      ['<ID>', ...words],
    );
  }

  onClient('rotate', 'replace the secret of a client; the old one is refused from then on')
    .option(
      '--keep-previous <hours>',
      'accept the old secret for so long, too',
      integerParser('--keep-previous', 0, maxKeepPreviousHours),
      0,
    )
    .option('--json', 'print JSON')
    .action(async (id: string, options: JsonOption & ProviderOption & { keepPrevious: number }) => {
      const { result: rotated } = await changeClient(id, options, (tx, provider) =>
        rotateClient(tx, provider, id, options.keepPrevious),
      );
      if (rotated) printCredentials({ id, secret: rotated.secret }, options);
    });

  onClient('edit', 'change the settings of a client; what is not named stays')
    .option('--name <name>', 'what people call it', parseName)
    .option(
      '--redirect-uri <uri>',
      'all addresses that a sign-in may return to; repeatable',
      collect,
    )
    .option('--no-redirect-uri', 'none')
    .option('--logout-uri <uri>', 'all that a logout may return to; repeatable', collect)
    .option('--no-logout-uri', 'none but those of sign-ins')
    .option('--network <network>', 'all networks that it may call from; repeatable', collect)
    .option('--no-network', 'from everywhere')
    .option('--audience <name>', 'all for whom else its tokens are; repeatable', collect)
    .option('--no-audience', 'for nobody else')
    .option('--expires <date>', 'until when, such as 2027-12-31', parseExpiry)
    .option('--no-expires', 'for ever')
    .action(async (id: string, options: EditOptions) => {
      const { owner } = await changeClient(id, options, async (tx, provider) => {
        const current = await getClient(tx, provider, id);
        if (!current) return;
        const settings = editedSettings(current, options);
        requireValidClient(settings, new Date());
        await updateClient(tx, provider, id, settings);
      });
      process.stdout.write(`Changed ${id} of ${owner}.\n`);
    });

  onClient('role', 'change what a client may do; the tokens of before are refused', ['<ROLE>'])
    .argument('<ROLE>', roles.join(', '), parseRole)
    .action(async (id: string, role: Role, options: ProviderOption) => {
      const { owner } = await changeClient(id, options, (tx, provider) =>
        setClientRole(tx, provider, id, role),
      );
      process.stdout.write(`${id} of ${owner} is ${role} now.\n`);
    });

  onClient('disable', 'refuse a client and the tokens that it holds').action(
    async (id: string, options: ProviderOption) => {
      const { owner } = await changeClient(id, options, (tx, provider) =>
        setClientDisabled(tx, provider, id, true),
      );
      process.stdout.write(`Disabled ${id} of ${owner}.\n`);
    },
  );

  onClient('enable', 'accept a disabled client again').action(
    async (id: string, options: ProviderOption) => {
      const { owner } = await changeClient(id, options, (tx, provider) =>
        setClientDisabled(tx, provider, id, false),
      );
      process.stdout.write(`Enabled ${id} of ${owner}.\n`);
    },
  );

  onClient('remove', 'delete a client; the tokens that it holds are refused').action(
    async (id: string, options: ProviderOption) => {
      const { owner } = await changeClient(id, options, (tx, provider) =>
        removeClient(tx, provider, id),
      );
      process.stdout.write(`Removed ${id} of ${owner}.\n`);
    },
  );

  return client;
}

/** Changes a client by its id, in one transaction. Tells whose it is, which may not have been said. */
function changeClient<Result>(
  id: string,
  { provider }: ProviderOption,
  change: (tx: Queryable, provider: string) => Promise<Result>,
): Promise<{ owner: string; result: Result }> {
  return withDatabase(async (db) => {
    const owner = await ownerOf(db, id, provider);
    return { owner, result: await db.transaction((tx) => change(tx, owner)) };
  });
}

function editedSettings(current: ClientRow, options: EditOptions): ClientSettings {
  const edited = (value: string[] | false | undefined, before: string[]) =>
    value === undefined ? before : value || [];
  const { expires = current.expiresAt !== null && new Date(current.expiresAt) } = options;
  return {
    name: options.name ?? current.name,
    role: current.role,
    redirectUris: edited(options.redirectUri, current.redirectUris),
    postLogoutRedirectUris: edited(options.logoutUri, current.postLogoutRedirectUris),
    networks: edited(options.network, current.networks),
    audiences: edited(options.audience, current.audiences),
    expiresAt: expires || undefined,
  };
}

function collect(value: string, before: string[] | boolean = []): string[] {
  return [...(Array.isArray(before) ? before : []), value];
}

function printCredentials({ id, secret }: Credentials, { json }: JsonOption): void {
  if (json) process.stdout.write(`${JSON.stringify({ clientId: id, clientSecret: secret })}\n`);
  else if (secret === undefined) process.stdout.write(`client_id      ${id}\n`);
  else
    process.stdout.write(
      `client_id      ${id}\nclient_secret  ${secret}\nThe secret is not shown again.\n`,
    );
}
