import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type IsolatedProcess, startIsolated } from '../isolation/isolated-process.ts';
import { moduleFile } from '../isolation/module-file.ts';
import { clockFactor } from '../isolation/watch-process.ts';
import { createTenantSlots } from '../tenant-slots.ts';
import { documentType } from './document-type.ts';
import {
  type RecognisedDocument,
  RecognitionError,
  type RecognitionFailure,
  type RecognitionLimits,
  recognitionLimits,
} from './recognised-document.ts';

export {
  type RecognisedDocument,
  RecognitionError,
  type RecognitionFailure,
  recognitionFailures,
} from './recognised-document.ts';

const readingProcess = moduleFile(import.meta.dirname, 'reading-process.ts');

/** Of different providers: the hostile documents of one or two take minutes, which others do not wait for. */
export const documentsAtOnce = 3;
const slots = createTenantSlots({
  slots: documentsAtOnce,
  share: 1,
  maxWaiting: 50,
  maxWaitingOfTenant: 50,
  maxWaitMs: 3_600_000,
  resource: 'the recognition of text',
});

/**
 * The text of a PDF or of a picture, read in a process of its own: it is opened when its turn comes. Rejects with a
 * RecognitionError where the document, or a limit, is the reason.
 */
export function recogniseText(
  provider: string,
  open: () => Readable | Promise<Readable>,
  limits: Partial<RecognitionLimits> = {},
): Promise<RecognisedDocument> {
  return slots.run(provider, async () =>
    readInProcess(await open(), { ...recognitionLimits, ...limits }),
  );
}

async function readInProcess(
  bytes: Readable,
  limits: RecognitionLimits,
): Promise<RecognisedDocument> {
  const chunks = bytes[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
  const start = await firstBytes(chunks);
  if (!documentType(start)) {
    bytes.destroy();
    throw new RecognitionError('unsupported-type');
  }
  const child = startIsolated(readingProcess, [JSON.stringify(limits)]);
  let failure: RecognitionFailure = 'failed';
  const end = (reason: RecognitionFailure) => {
    failure = reason;
    child.kill('SIGKILL');
  };
  const timer = setTimeout(() => end('timeout'), limits.seconds * clockFactor * 1_000);
  let inputError: unknown;
  try {
    const sent = pipeline(limited(start, chunks, limits.bytes), child.stdin).catch((error) => {
      if (error instanceof RecognitionError) end(error.reason);
      // A child that is gone says why by its end.
      else if (error?.code !== 'EPIPE') inputError = error;
    });
    const [output, errors] = await Promise.all([
      collect(child.stdout),
      collect(child.stderr),
      sent,
      closed(child),
    ]);
    if (inputError) throw inputError;
    return parse(output, errors, failure);
  } finally {
    clearTimeout(timer);
    child.kill('SIGKILL');
    bytes.destroy();
  }
}

const typeBytes = 1_024;

async function firstBytes(chunks: AsyncIterator<Buffer>): Promise<Buffer> {
  let start = Buffer.alloc(0);
  while (start.length < typeBytes) {
    const { value, done } = await chunks.next();
    if (done) break;
    start = Buffer.concat([start, value]);
  }
  return start;
}

async function* limited(start: Buffer, chunks: AsyncIterator<Buffer>, limitBytes: number) {
  let size = 0;
  let chunk: Buffer | undefined = start;
  while (chunk) {
    size += chunk.length;
    if (size > limitBytes) throw new RecognitionError('too-large');
    yield chunk;
    const { value, done } = await chunks.next();
    chunk = done ? undefined : value;
  }
}

function closed(child: IsolatedProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', () => resolve());
  });
}

const maxOutputBytes = 16 * 1024 * 1024;

async function collect(stream: Readable): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size <= maxOutputBytes) chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}

function parse(output: string, errors: string, failure: RecognitionFailure): RecognisedDocument {
  let result: { document?: RecognisedDocument; failure?: RecognitionFailure } = {};
  try {
    result = JSON.parse(output);
  } catch {
    result = { failure: /heap out of memory/.test(errors) ? 'memory' : failure };
  }
  if (result.document) return result.document;
  throw new RecognitionError(result.failure ?? failure, errors ? { cause: errors } : {});
}
