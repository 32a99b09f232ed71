import { join } from 'node:path';

const isBuilt = import.meta.filename.endsWith('.js');

/**
 * The file of a module that a thread or a process of its own runs, beside the folder of the one that starts it. It is
 * named as in the sources; the published package has it as JavaScript (docs/decisions/0052-the-package.md).
 */
export function moduleFile(folder: string, name: `${string}.ts`): string {
  return join(folder, isBuilt ? name.replace(/ts$/, 'js') : name);
}
