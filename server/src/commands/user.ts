import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { Command } from 'commander';
import { providerId, requireProvider } from '../auth/providers.ts';
import { addUser } from '../auth/users.ts';
import { UserError } from '../platform/user-error.ts';
import { withDatabase } from './with-database.ts';

export function userCommand(): Command {
  const user = new Command('user').description('people who sign in to the console');

  user
    .command('add')
    .description('make a console user; the password is asked for, or read from standard input')
    .argument('<CC>', 'country code of the asset provider')
    .argument('<CODE>', 'code of the asset provider')
    .argument('<USERNAME>', 'name to sign in with')
    .action(async (countryCode: string, code: string, username: string) => {
      const provider = providerId(countryCode, code);
      const password = process.stdin.isTTY ? await askTwice() : await readLine();
      await withDatabase(async (db) => {
        await requireProvider(db, provider);
        await addUser(db, provider, username, password);
      });
      process.stdout.write(`Added ${username} to ${provider}.\n`);
    });

  return user;
}

async function askTwice(): Promise<string> {
  const password = await askHidden('Password: ');
  if ((await askHidden('Once more: ')) !== password)
    throw new UserError('The two passwords differ.');
  return password;
}

async function askHidden(question: string): Promise<string> {
  process.stderr.write(question);
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
  const terminal = createInterface({ input: process.stdin, output: silent, terminal: true });
  try {
    return await terminal.question('');
  } finally {
    terminal.close();
    process.stderr.write('\n');
  }
}

async function readLine(): Promise<string> {
  const lines = createInterface({ input: process.stdin });
  for await (const line of lines) return line;
  throw new UserError('No password came on standard input.');
}
