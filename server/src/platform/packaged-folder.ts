import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** A folder that the package has beside its built code, and the repository at the given path. */
export function packagedFolder(name: string, inRepository: string): string {
  const packaged = join(import.meta.dirname, '..', name);
  return existsSync(packaged) ? packaged : join(import.meta.dirname, '../../..', inRepository);
}
