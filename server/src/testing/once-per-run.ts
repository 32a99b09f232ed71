import { existsSync } from 'node:fs';
import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { inject } from 'vitest';

/** A file or folder that the first test file to need it makes, and the others of the run use; returns its path. */
export async function oncePerRun(
  name: string,
  make: (path: string) => Promise<void>,
): Promise<string> {
  const path = join(inject('runFolder'), name);
  const lock = new pg.Client(inject('postgres').superuser);
  await lock.connect();
  try {
    await lock.query('select pg_advisory_lock(hashtext($1))', [path]);
    if (existsSync(path)) return path;
    await make(`${path}.partial`);
    await rename(`${path}.partial`, path);
    return path;
  } finally {
    await lock.end();
  }
}
