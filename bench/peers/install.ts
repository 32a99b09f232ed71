import { join } from 'node:path';
import { log } from '../log.ts';
import { run } from '../processes.ts';

/** Installs a peer from its own lock file, apart from the project's. */
export async function install(peer: string, ...scripts: string[]): Promise<void> {
  const cwd = join(import.meta.dirname, peer);
  log(`installing ${peer} …`);
  await run('npm', ['ci'], { cwd });
  for (const script of scripts) await run('npm', ['run', script], { cwd });
}
