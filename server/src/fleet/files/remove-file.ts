import { operation } from '../../platform/http/operation.ts';
import { notFound } from '../../platform/http/problem.ts';
import type { Dependencies } from '../dependencies.ts';
import type { FileOwner } from '../module.ts';
import {
  entryKey,
  entryResources,
  fileKey,
  fileParameters,
  filePath,
  fixedProblem,
  isFile,
} from './file-owner.ts';
import { releaseObjects } from './stored-objects.ts';

export function removeFile(owner: FileOwner) {
  const published = owner.published?.remove;
  return operation({
    id: `remove${owner.name}File`,
    method: 'DELETE',
    path: filePath(owner),
    tag: published ?? 'Files',
    ...(published && { furtherTags: ['Files'] }),
    role: 'editor',
    origin: published ? 'interface' : 'motorpool',
    summary: `Remove a file (BLOB) from ${owner.phrase}${owner.ofProvider ? '' : ' of a vehicle'}`,
    description:
      'Deletes the file, its record and its bytes, whether it was uploaded or only announced. A second call answers 404.',
    parameters: fileParameters(owner),
    responses: { 204: { description: 'The file is deleted.' } },
    notFound: [...entryResources(owner), 'file'],
    problems: fixedProblem(owner),
    async handler({ provider, parameters }, dependencies: Dependencies) {
      await dependencies.db.transaction(async (tx) => {
        const entry = { provider, ...entryKey(owner, parameters) };
        const fixed = await owner.fixed?.findProblem(tx, entry);
        const [removed] = await tx.query<{ object_key: string | null }>(
          `delete from blobs where ${isFile} returning object_key`,
          fileKey(owner, provider, parameters),
        );
        if (!removed) throw notFound('file');
        const { object_key } = removed;
        if (object_key === null) return;
        if (fixed) throw fixed;
        await releaseObjects(tx, dependencies, provider.id, [object_key]);
      });
      return { status: 204 };
    },
  });
}
