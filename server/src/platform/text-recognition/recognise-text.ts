import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type IsolatedProcess, startIsolated } from '../isolation/isolated-process.ts';
import { moduleFile } from '../isolation/module-file.ts';
import { clockFactor } from '../isolation/watch-process.ts';
import { createTenantSlots } from '../tenant-slots.ts';
import { documentType } from './document-type.ts';
import {
  type ReadDocument,
  RecognitionError,
  type RecognitionFailure,
  type RecognitionLimits,
  recognitionLimits,
} from './recognised-document.ts';

export {
  type ReadDocument,
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
): Promise<ReadDocument> {
  return slots.run(provider, async () =>
    readInProcess(await open(), { ...recognitionLimits, ...limits }),
  );
}

async function readInProcess(bytes: Readable, limits: RecognitionLimits): Promise<ReadDocument> {
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
    const [output, errors, , isComplete] = await Promise.all([
      collect(child.stdout),
      collect(child.stderr),
      sent,
      closed(child),
    ]);
    if (inputError) throw inputError;
    return parse(output, errors.toString(), isComplete ? undefined : failure);
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

/** Whether it came to its end. */
function closed(child: IsolatedProcess): Promise<boolean> {
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => resolve(code === 0));
  });
}

const maxOutputBytes = 16 * 1024 * 1024;

/** In memory of its own, which can be given to a thread. */
async function collect(stream: Readable): Promise<Buffer<ArrayBuffer>> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size <= maxOutputBytes) chunks.push(chunk);
  }
  const all = Buffer.alloc(Math.min(size, maxOutputBytes));
  let end = 0;
  for (const chunk of chunks) end += chunk.copy(all, end);
  return all;
}

type Kept = Omit<ReadDocument, 'json'>;

/** `ended` is why the process did not come to its end, if it did not. */
function parse(
  output: Buffer<ArrayBuffer>,
  errors: string,
  ended: RecognitionFailure | undefined,
): ReadDocument {
  const cause = errors ? { cause: errors } : {};
  const lineEnd = output.indexOf('\n');
  const line = output.subarray(0, lineEnd < 0 ? output.length : lineEnd).toString();
  let result: Kept | { failure: RecognitionFailure };
  try {
    result = JSON.parse(line);
  } catch {
    const isFull = /heap out of memory/.test(errors);
    throw new RecognitionError(isFull ? 'memory' : (ended ?? 'failed'), cause);
  }
  if ('failure' in result) throw new RecognitionError(result.failure, cause);
  if (ended) throw new RecognitionError(ended, cause);
  return { ...result, json: output.subarray(lineEnd + 1) };
}
