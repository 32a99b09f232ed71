import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { Command } from 'commander';
import { providerId, requireProvider } from '../auth/providers.ts';
import { addUser } from '../auth/users.ts';
import { roles } from '../platform/http/principal.ts';
import { UserError } from '../platform/user-error.ts';
import { parseRole } from './arguments.ts';
import { Interrupted } from './interruption.ts';
import { withDatabase } from './with-database.ts';

export function userCommand(): Command {
  const user = new Command('user').description('people who sign in with a password');

  user
    .command('add')
    .description('make a user who signs in; the password is asked for, or read from standard input')
    .argument('<CC>', 'country code of the asset provider')
    .argument('<CODE>', 'code of the asset provider')
    .argument('<USERNAME>', 'name to sign in with')
    .option('--role <role>', `what the user may do: ${roles.join(', ')}`, parseRole, 'editor')
    .allowExcessArguments()
    .action(async (countryCode: string, code: string, username: string, options, { args }) => {
      // The parser's error message would repeat the password.
      if (args.length > 3) user.error('error: the password is asked for, and no argument');
      const provider = providerId(countryCode, code);
      const password = process.stdin.isTTY ? await promptTwice() : await readLine();
      await withDatabase(async (db) => {
        await requireProvider(db, provider);
        await addUser(db, provider, username, password, options.role);
      });
      process.stdout.write(`Added ${username} to ${provider}.\n`);
    });

  return user;
}

/** Prompts for the password twice, without echo. */
async function promptTwice(): Promise<string> {
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
  const terminal = createInterface({ input: process.stdin, output: silent, terminal: true });
  let interrupted = false;
  terminal.on('SIGINT', () => {
    interrupted = true;
    terminal.close();
  });
  // The iterator buffers: both lines may be pasted at once.
  const lines = terminal[Symbol.asyncIterator]();
  const prompt = async (label: string) => {
    process.stderr.write(label);
    const { value, done } = await lines.next();
    process.stderr.write('\n');
    if (interrupted) throw new Interrupted();
    if (done) throw new UserError('No password was given.');
    return value;
  };
  try {
    const password = await prompt('Password: ');
    if ((await prompt('Once more: ')) !== password)
      throw new UserError('The two passwords differ.');
    return password;
  } finally {
    terminal.close();
  }
}

async function readLine(): Promise<string> {
  const lines = createInterface({ input: process.stdin });
  for await (const line of lines) return line;
  throw new UserError('No password came on standard input.');
}
