import { Command } from 'commander';
import { invitationHours, invitationLink } from '../auth/invitations.ts';
import { providerId, requireProvider } from '../auth/providers.ts';
import {
  getUser,
  inviteUser,
  listUsers,
  removeUser,
  resetUser,
  setPassword,
  setUserDisabled,
  setUserRole,
  updateUser,
  userIdOf,
} from '../auth/user-accounts.ts';
import { addUser } from '../auth/users.ts';
import { loadConfig } from '../config.ts';
import type { Queryable } from '../platform/db/database.ts';
import { type Role, roles } from '../platform/http/principal.ts';
import { parseEmail, parseName, parseRole, parseUuid } from './arguments.ts';
import { askPassword } from './password-prompt.ts';
import { takeOptionalProvider, takeProvider } from './provider-words.ts';
import { serviceUrl } from './service-url.ts';
import { printRows } from './table.ts';
import { withDatabase } from './with-database.ts';

type ResetOptions = { removeSecondFactor?: boolean };
type SettingsOptions = { role: Role; name?: string; email?: string; id?: string };
/** What is left out stays; false clears it. */
type EditOptions = { name?: string | false; email?: string | false };

export function userCommand(): Command {
  const user = new Command('user').description('people who sign in with a password');

  /** A command on one user. */
  function onUser(name: string, description: string): Command {
    return takeProvider(user.command(name).description(description)).argument(
      '<USERNAME>',
      'name to sign in with',
    );
  }
  const withSettings = (command: Command) =>
    command
      .option('--role <role>', `what the user may do: ${roles.join(', ')}`, parseRole, 'editor')
      .option('--name <name>', 'what people call the user', parseName)
      .option('--email <address>', 'in the tokens of the user; no mail is sent', parseEmail)
      .option('--id <uuid>', '`sub` of the tokens, such as that of a server before', parseUuid);
  /** The parser's error message would repeat the password. */
  const refusePassword = (args: string[]) => {
    if (args.length > 3) user.error('error: the password is asked for, and no argument');
  };

  withSettings(
    onUser(
      'add',
      'make a user who signs in; the password is asked for, or read from standard input',
    ),
  )
    .allowExcessArguments()
    .action(async (countryCode: string, code: string, username: string, options, { args }) => {
      refusePassword(args);
      const provider = providerId(countryCode, code);
      const password = await askPassword();
      const { role, name, ...rest } = options as SettingsOptions;
      await withDatabase(async (db) => {
        await requireProvider(db, provider);
        await addUser(db, provider, username, password, role, name, rest);
      });
      process.stdout.write(`Added ${username} to ${provider}.\n`);
    });

  withSettings(
    onUser('invite', 'make a user who sets the password by a one-time link, which is shown once'),
  ).action(async (countryCode: string, code: string, username: string, options) => {
    const provider = providerId(countryCode, code);
    const { token } = await withDatabase(async (db) => {
      await requireProvider(db, provider);
      return db.transaction((tx) => inviteUser(tx, provider, username, options as SettingsOptions));
    });
    printLink(provider, token);
  });

  takeOptionalProvider(
    user.command('list').description('list the users'),
    'only those of one asset provider',
  )
    .option('--json', 'print JSON')
    .action(async (options: { provider?: string; json?: boolean }) => {
      const rows = await withDatabase(async (db) => {
        if (options.provider) await requireProvider(db, options.provider);
        return listUsers(db, options.provider);
      });
      const shown = rows.map(({ version: _, ...row }) => row);
      printRows(shown, options);
    });

  onUser('edit', 'change the settings of a user; what is not named stays')
    .option('--name <name>', 'what people call the user', parseName)
    .option('--no-name', 'none')
    .option('--email <address>', 'in the tokens of the user; no mail is sent', parseEmail)
    .option('--no-email', 'none')
    .action(async (countryCode: string, code: string, username: string, options: EditOptions) => {
      await changeUser(countryCode, code, username, async (tx, provider, id) => {
        const current = await getUser(tx, provider, id);
        if (!current) return;
        const { name = current.name, email = current.email } = options;
        const settings = { role: current.role, name: name || undefined, email: email || undefined };
        await updateUser(tx, provider, id, settings);
      });
      process.stdout.write(`Changed ${username}.\n`);
    });

  onUser('role', 'change what a user may do; the tokens of before are refused')
    .argument('<ROLE>', roles.join(', '), parseRole)
    .action(async (countryCode: string, code: string, username: string, role: Role) => {
      await changeUser(countryCode, code, username, (tx, provider, id) =>
        setUserRole(tx, provider, id, role),
      );
      process.stdout.write(`${username} is ${role} now.\n`);
    });

  onUser('password', 'replace the password, which is asked for, or read from standard input')
    .allowExcessArguments()
    .action(async (countryCode: string, code: string, username: string, _options, { args }) => {
      refusePassword(args);
      providerId(countryCode, code);
      const password = await askPassword();
      await changeUser(countryCode, code, username, (tx, provider, id) =>
        setPassword(tx, provider, id, password),
      );
      process.stdout.write(`${username} has a new password, and is signed out everywhere.\n`);
    });

  onUser('reset', 'end the password and the sessions; a one-time link, shown once, sets a new one')
    .option('--remove-second-factor', 'for a user who has lost it and the recovery codes')
    .action(async (countryCode: string, code: string, username: string, options: ResetOptions) => {
      const reset = await changeUser(countryCode, code, username, (tx, provider, id) =>
        resetUser(tx, provider, id, { removesSecondFactor: options.removeSecondFactor ?? false }),
      );
      if (reset) printLink(providerId(countryCode, code), reset.token);
    });

  onUser('disable', 'refuse a user, and the tokens and sessions of the user').action(
    async (countryCode: string, code: string, username: string) => {
      await changeUser(countryCode, code, username, (tx, provider, id) =>
        setUserDisabled(tx, provider, id, true),
      );
      process.stdout.write(`Disabled ${username}.\n`);
    },
  );

  onUser('enable', 'let a disabled user sign in again').action(
    async (countryCode: string, code: string, username: string) => {
      await changeUser(countryCode, code, username, (tx, provider, id) =>
        setUserDisabled(tx, provider, id, false),
      );
      process.stdout.write(`Enabled ${username}.\n`);
    },
  );

  onUser('remove', 'delete a user; the tokens and sessions of the user are refused').action(
    async (countryCode: string, code: string, username: string) => {
      await changeUser(countryCode, code, username, removeUser);
      process.stdout.write(`Removed ${username}.\n`);
    },
  );

  return user;
}

/** Changes a user by name, in one transaction. */
function changeUser<Result>(
  countryCode: string,
  code: string,
  username: string,
  change: (tx: Queryable, provider: string, id: string) => Promise<Result>,
): Promise<Result> {
  const provider = providerId(countryCode, code);
  return withDatabase(async (db) => {
    await requireProvider(db, provider);
    return db.transaction(async (tx) =>
      change(tx, provider, await userIdOf(tx, provider, username)),
    );
  });
}

function printLink(provider: string, token: string): void {
  const realmUrl = `${serviceUrl(loadConfig(process.env))}/realms/${provider}`;
  process.stdout.write(
    `${invitationLink(realmUrl, token)}\nThe link is valid once, for ${invitationHours} hours, and is not shown again.\n`,
  );
}
