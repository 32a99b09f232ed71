import { run } from './processes.ts';

/** Keeps the owners: PostgreSQL refuses a folder of another user. */
export async function copyFolder(from: string, to: string): Promise<void> {
  await run('cp', ['-a', from, to]);
}
