import { run } from './processes.ts';

/** With its owners: PostgreSQL refuses a folder that is not its own. */
export async function copyFolder(from: string, to: string): Promise<void> {
  await run('cp', ['-a', from, to]);
}
