import { readFile, writeFile } from 'node:fs/promises';

const setting = '/proc/sys/kernel/sched_autogroup_enabled';

/**
 * Linux may share the processor among sessions before it looks at priorities, and each connection of PostgreSQL is a session: then
 * the service, the load and the tests together get as much as one connection. Service managers and containers have no such groups.
 */
export default async function scheduleByPriority(): Promise<(() => Promise<void>) | undefined> {
  const before = await readFile(setting, 'utf8').catch(() => '0');
  if (before.trim() === '0') return undefined;
  try {
    await writeFile(setting, '0');
  } catch {
    console.log(`  ${setting} is 1, which only root can change: promises of times may break`);
    return undefined;
  }
  return () => writeFile(setting, before);
}
