import { type ByteRange, NoSuchBlob } from '../../platform/blobs/blob-store.ts';
import type { Queryable } from '../../platform/db/database.ts';
import { requestedRange } from '../../platform/http/byte-range.ts';
import { attachment } from '../../platform/http/content-disposition.ts';
import { includesEtag } from '../../platform/http/etag.ts';
import { type OperationResult, operation } from '../../platform/http/operation.ts';
import { notFound } from '../../platform/http/problem.ts';
import type { Dependencies } from '../dependencies.ts';
import type { FileOwner } from '../module.ts';
import { entryResources, fileKey, fileParameters, filePath, isFile } from './file-owner.ts';
import { storageProblem } from './stored-objects.ts';

const headerTexts = {
  'Content-Disposition': 'Attachment, with the file’s name.',
  'Accept-Ranges': 'Bytes.',
  ETag: 'Another one after each upload.',
};

export function downloadFile(owner: FileOwner) {
  return operation({
    id: `download${owner.name}File`,
    method: 'GET',
    path: filePath(owner),
    tag: 'Files',
    role: 'viewer',
    origin: 'motorpool',
    summary: 'Get the bytes of a file',
    description:
      'Answers the bytes under the announced type, as an attachment that no browser runs. ' +
      'A file that is announced and not uploaded is not found.',
    parameters: fileParameters(owner),
    requestHeaders: {
      Range: 'One range of bytes, such as bytes=0-99. Several at once are answered with the whole.',
      'If-Range': 'The ETag of the file that the range is meant for; the whole when it is another.',
      'If-None-Match': 'ETags that the client has: 304 when this is one of them.',
    },
    responses: {
      200: { description: 'The file.', bytes: true, headers: headerTexts },
      206: {
        description: 'The range of it.',
        bytes: true,
        headers: { ...headerTexts, 'Content-Range': 'Which bytes these are, and of how many.' },
      },
      304: { description: 'The client has this file.' },
    },
    notFound: [...entryResources(owner), 'file'],
    problems: { 416: 'The range lies outside; Content-Range says how many bytes there are.' },
    async handler({ provider, parameters, header }, dependencies: Dependencies) {
      return sendFile(dependencies, fileKey(owner, provider, parameters), header);
    },
  });
}

async function sendFile(
  dependencies: Dependencies,
  key: readonly (string | null)[],
  header: (name: string) => string | undefined,
): Promise<OperationResult<200 | 206 | 304>> {
  const { db, blobs } = dependencies;
  const file = await selectFile(db, key);
  const etag = etagOf(file);
  const caching = { etag, 'cache-control': 'private, no-cache' };
  if (includesEtag(header('if-none-match'), etag)) return { status: 304, headers: caching };
  const rangeApplies = header('if-range') === undefined || header('if-range') === etag;
  const range = rangeApplies ? requestedRange(header('range'), file.size) : undefined;
  try {
    const body = await blobs.get(file.object_key, range);
    const headers = { ...caching, ...headersOf(file, range) };
    return { status: range ? 206 : 200, headers, body };
  } catch (error) {
    if (!(error instanceof NoSuchBlob)) throw storageProblem(error);
    // Removed or replaced since it was read: retried with the current record.
    const current = await selectFile(db, key);
    if (current.object_key === file.object_key) throw error;
    return sendFile(dependencies, key, header);
  }
}

/** Prevents browsers from executing the file, whatever its content and type. */
function headersOf({ filename, content_type, size }: FileRow, range: ByteRange | undefined) {
  return {
    'content-type': content_type,
    'content-length': String(range ? range.last - range.first + 1 : size),
    ...(range && { 'content-range': `bytes ${range.first}-${range.last}/${size}` }),
    'accept-ranges': 'bytes',
    'content-disposition': attachment(filename),
    'content-security-policy': "default-src 'none'; sandbox; frame-ancestors 'none'",
  };
}

/** Unique, since each upload has its own key. */
function etagOf({ object_key }: FileRow): string {
  return `"${object_key.slice(object_key.lastIndexOf('/') + 1)}"`;
}

type FileRow = { filename: string; content_type: string; object_key: string; size: number };

async function selectFile(db: Queryable, key: readonly (string | null)[]): Promise<FileRow> {
  const [file] = await db.query<FileRow>(
    `select filename, content_type, object_key, size from blobs
     where ${isFile} and object_key is not null`,
    key,
  );
  if (!file) throw notFound('file');
  return file;
}
