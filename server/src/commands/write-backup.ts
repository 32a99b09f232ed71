import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { constants, createGzip } from 'node:zlib';
import type { Config } from '../config.ts';
import { selectReferencedObjects } from '../fleet/files/public.ts';
import { withBackupLock } from '../platform/backup/backup-lock.ts';
import { dump } from '../platform/backup/dump.ts';
import type { Header, Manifest } from '../platform/backup/format.ts';
import { InvalidArchive } from '../platform/backup/tar.ts';
import { openBlobStore } from '../platform/blobs/open-blob-store.ts';
import { buildName } from '../platform/build-info.ts';
import { UserError } from '../platform/user-error.ts';
import { describeContent } from './backup-content.ts';
import { writeOutputFile } from './output-file.ts';
import { progressBar } from './progress.ts';
import type { OpenDatabase } from './with-database.ts';

const mebibyte = 1_048_576;

/** Returns what is to be told about the backup. */
export async function writeBackup(
  db: OpenDatabase,
  config: Config,
  file: string,
  interruption: AbortSignal,
): Promise<string[]> {
  const blobs = await openBlobStore(config.BLOB_URL, config.DATA_DIR);
  let content: { header: Header; manifest: Manifest } | undefined;
  let progress: ReturnType<typeof progressBar> | undefined;
  await withBackupLock(db.ownerConnection, async (lost) => {
    const signal = AbortSignal.any([interruption, lost]);
    const bytes = dump({
      connection: db.ownerConnection,
      blobs,
      program: buildName,
      selectFiles: selectReferencedObjects,
      signal,
      onProgress(done, total) {
        progress ??= progressBar(total, 'MiB');
        progress.show(done, Math.floor(done / mebibyte));
      },
      onDone(header, manifest) {
        content = { header, manifest };
      },
    });
    // Most bytes are of files, which are compressed already.
    const gzip = createGzip({ level: constants.Z_BEST_SPEED });
    const compress = (output: NodeJS.WritableStream, end: boolean) =>
      pipeline(Readable.from(bytes, { objectMode: false }), gzip, output, { signal, end });
    const written =
      file === '-'
        ? compress(process.stdout, false)
        : writeOutputFile(file, (output) => compress(output, true));
    await written.catch((error) => {
      signal.throwIfAborted();
      throw failure(error, file);
    });
  }).finally(() => progress?.end());
  if (!content) throw new Error('the backup has no end');
  return describe(content.manifest, file);
}

function failure(error: unknown, file: string): unknown {
  const { code, syscall, message } = error as NodeJS.ErrnoException;
  if (syscall !== undefined || code === 'EPIPE')
    return new UserError(`Cannot write ${file}: ${message}`);
  if (error instanceof InvalidArchive)
    return new UserError(
      `A stored file cannot be read as a whole, and nothing was backed up: ${message}.`,
    );
  return error;
}

function describe(manifest: Manifest, file: string): string[] {
  const { missingFiles, differingFiles } = manifest;
  const target = file === '-' ? '' : ` to ${file}`;
  return [
    `Backed up ${describeContent(manifest)}${target}.`,
    ...(missingFiles > 0
      ? [`The store does not have ${missingFiles} of the files that records refer to.`]
      : []),
    ...(differingFiles > 0
      ? [
          `The store has ${differingFiles} of the files in another size than their records, and so does the backup.`,
        ]
      : []),
    'The key of the secrets is not in it (SECRETS_KEY, or the file secrets.key of DATA_DIR): keep a copy of it elsewhere.',
  ];
}
