import { readFile } from 'node:fs/promises';
import { cpus, release, totalmem, type } from 'node:os';
import { join } from 'node:path';
import { packagedPostgres } from '../../server/src/platform/db/embedded/binaries.ts';
import { root, run } from '../processes.ts';

/** The machine and the versions, as lines of the report. */
export async function describeMachine(): Promise<string[]> {
  const processors = cpus();
  const gib = Math.round(totalmem() / 1_024 ** 3);
  return [
    `${processors.length} cores (${processors[0]?.model.trim()}), ${gib} GiB, ${type()} ${release()}`,
    `Node ${process.versions.node}, PostgreSQL ${await postgresVersion()} (embedded, its settings as shipped, fsync on)`,
    `autocannon ${await version('package.json', 'autocannon')}, ` +
      `Prism ${await version('bench/peers/prism/package.json', '@stoplight/prism-cli')}, ` +
      `NestJS ${await version('bench/peers/nest/package.json', '@nestjs/core')}, ` +
      `TypeORM ${await version('bench/peers/nest/package.json', 'typeorm')}`,
  ];
}

async function postgresVersion(): Promise<string> {
  const output = await run(join(packagedPostgres(), 'bin/postgres'), ['--version']);
  return output.trim().split(' ').at(-1) ?? '';
}

async function version(manifest: string, name: string): Promise<string> {
  const { dependencies, devDependencies } = JSON.parse(
    await readFile(join(root, manifest), 'utf8'),
  );
  return ({ ...dependencies, ...devDependencies }[name] as string).replace('^', '');
}
