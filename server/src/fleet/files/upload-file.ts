import type { Queryable } from '../../platform/db/database.ts';
import { operation } from '../../platform/http/operation.ts';
import { bodyTooLarge, notFound, Problem } from '../../platform/http/problem.ts';
import type { Dependencies } from '../dependencies.ts';
import type { FileOwner } from '../module.ts';
import { type Blob, BlobSchema, exampleBlob } from './blob.ts';
import {
  entryKey,
  entryResources,
  fileKey,
  fileParameters,
  filePath,
  fixedProblem,
  isFile,
} from './file-owner.ts';
import { limitSize, storeObject } from './stored-objects.ts';

export function uploadFile(owner: FileOwner) {
  return operation({
    id: `upload${owner.name}File`,
    method: 'PUT',
    path: filePath(owner),
    tag: 'Files',
    role: 'editor',
    origin: 'motorpool',
    summary: 'Put the bytes of an announced file',
    description:
      'Takes the body as it comes, of any type: the type that the file has is the announced one. ' +
      'The file is uploaded when this answers, and not at all when it does not. A second upload replaces the first as a whole.',
    parameters: fileParameters(owner),
    upload: { description: 'The bytes of the file, which may be none.' },
    responses: {
      200: { description: 'The file, uploaded.', schema: BlobSchema, example: exampleBlob },
    },
    notFound: [...entryResources(owner), 'file'],
    problems: {
      413: 'The file is larger than the service takes; nothing of it is kept.',
      415: 'The body is compressed by a Content-Encoding.',
      ...fixedProblem(owner),
    },
    async handler({ provider, parameters, header, bytes }, dependencies: Dependencies) {
      const { db, clock, settings } = dependencies;
      const { uploadLimitBytes } = settings;
      requirePlainBytes(header, uploadLimitBytes);
      const file = fileKey(owner, provider, parameters);
      const [announced] = await db.query<{ uuid: string; filename: string }>(
        `select uuid, filename from blobs where ${isFile}`,
        file,
      );
      if (!announced) throw notFound('file');
      await storeObject(
        dependencies,
        provider,
        limitSize(bytes, uploadLimitBytes),
        async (tx, key, size) => {
          const entry = { provider, ...entryKey(owner, parameters) };
          const fixed = await owner.fixed?.findProblem(tx, entry);
          const uploaded = { ...entry, blobUuid: announced.uuid };
          await owner.onUpload?.(tx, uploaded, dependencies);
          const replaced = await attachObject(tx, file, { key, size, uploadedAt: clock.now() });
          if (fixed && replaced !== null) throw fixed;
          return replaced;
        },
      );
      const blob: Blob = { ...announced, uploaded: true };
      return { status: 200, body: blob };
    },
  });
}

/** Checks the headers, before any byte is read. */
export function requirePlainBytes(
  header: (name: string) => string | undefined,
  uploadLimitBytes: number,
): void {
  const encoding = header('content-encoding') ?? 'identity';
  if (!/^(identity)?$/i.test(encoding)) {
    throw new Problem(415, 'unsupported-content-encoding', 'Unsupported content encoding', {
      detail: 'Send the bytes as they are, without Content-Encoding.',
    });
  }
  if (Number(header('content-length') ?? 0) > uploadLimitBytes) {
    throw bodyTooLarge(uploadLimitBytes);
  }
  if (header('content-range') !== undefined) {
    throw new Problem(400, 'partial-upload', 'A part of a file cannot be put', {
      detail: 'Send the whole file, without Content-Range.',
    });
  }
}

/** Returns the key of the replaced object. Of two concurrent uploads, the later one replaces. */
export async function attachObject(
  tx: Queryable,
  file: readonly (string | null)[],
  { key, size, uploadedAt }: { key: string; size: number; uploadedAt: Date },
): Promise<string | null> {
  const [before] = await tx.query<{ object_key: string | null }>(
    `select object_key from blobs where ${isFile} for update`,
    file,
  );
  if (!before) throw notFound('file');
  await tx.query(`update blobs set object_key = $6, size = $7, uploaded_at = $8 where ${isFile}`, [
    ...file,
    key,
    size,
    uploadedAt,
  ]);
  return before.object_key;
}
