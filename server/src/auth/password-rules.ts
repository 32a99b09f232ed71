import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { moduleFile } from '../platform/isolation/module-file.ts';
import { createTenantSlots } from '../platform/tenant-slots.ts';
import { UserError } from '../platform/user-error.ts';
import { maxPasswordLength } from './password-hash.ts';
import type { PasswordQuestion } from './password-strength-worker.ts';

const minLength = 12;
/** How often one may guess before the password is found, as a power of ten. */
const minGuessesLog10 = 9;
const workerIdleMs = 10_000;

const slots = createTenantSlots({
  slots: 1,
  share: 1,
  // More than are admitted: docs/decisions/0029-sign-in.md.
  maxWaiting: 300,
  maxWaitingOfTenant: 100,
  maxWaitMs: 120_000,
  resource: 'the check of passwords',
});

/** Refuses what is short, common, or made of the user's name, words and patterns. */
export async function requireAcceptablePassword(
  password: string,
  { provider, username }: { provider: string; username: string },
): Promise<void> {
  const length = [...password].length;
  if (length < minLength)
    throw new UserError(`The password must have at least ${minLength} characters.`);
  if (password.length > maxPasswordLength)
    throw new UserError(`The password must have at most ${maxPasswordLength} characters.`);
  const related = ['motorpool', provider, username, ...username.split(/[^a-z0-9]+/i)];
  const question = { password, related: related.filter((text) => text.length > 2) };
  const guesses = await slots.run(provider, () => askWorker(question));
  if (guesses >= minGuessesLog10) return;
  throw new UserError(
    'The password is too easy to guess: it is a common one, or made of names, words, dates or patterns. Take several words that have nothing to do with each other.',
  );
}

let worker: Worker | undefined;
let idleTimer: NodeJS.Timeout | undefined;

/** The thread ends when it is not needed for a while, as its lists take memory. */
async function askWorker(question: PasswordQuestion): Promise<number> {
  clearTimeout(idleTimer);
  worker ??= new Worker(moduleFile(import.meta.dirname, 'password-strength-worker.ts'));
  worker.ref();
  try {
    worker.postMessage(question);
    const [guessesLog10] = await once(worker, 'message');
    idleTimer = setTimeout(endWorker, workerIdleMs).unref();
    worker.unref();
    return guessesLog10;
  } catch (error) {
    endWorker();
    throw error;
  }
}

function endWorker(): void {
  void worker?.terminate();
  worker = undefined;
}
