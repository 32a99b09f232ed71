import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { UserError } from '../platform/user-error.ts';
import { Interrupted } from './interruption.ts';

/** Asks for a password on a terminal, and reads it from standard input otherwise. */
export function askPassword(): Promise<string> {
  return process.stdin.isTTY ? promptTwice() : readLine();
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
