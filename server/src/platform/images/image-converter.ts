import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type IsolatedProcess, startIsolated } from '../isolation/isolated-process.ts';
import { moduleFile } from '../isolation/module-file.ts';
import type { ProcessLimits } from '../isolation/watch-process.ts';
import { createTenantSlots } from '../tenant-slots.ts';
import type { Conversion, ConversionFailure, Rendition } from './rendition.ts';

/** Makes renditions of images that nobody vouches for, in processes of their own, few at a time. */
export type ImageConverter = {
  /** Opens the source when its turn comes; rejects with Overloaded when too many wait. */
  convert(
    tenant: string,
    open: () => Promise<Readable>,
    conversion: Conversion,
  ): Promise<Converted | { failure: ConversionFailure }>;
};

type Converted = { renditions: RenditionFile[] };
export type RenditionFile = Rendition & { data: Buffer };

export type ConverterLimits = ProcessLimits & {
  /** Each of another tenant: a hostile image takes long, which others do not wait for. */
  processes: number;
  maxWaiting: number;
  maxWaitingOfTenant: number;
  maxWaitMs: number;
  /** By the clock, which goes on while a busy machine does other work. */
  maxRunMs: number;
};

export const converterLimits: ConverterLimits = {
  processes: 3,
  maxWaiting: 32,
  maxWaitingOfTenant: 8,
  maxWaitMs: 60_000,
  maxRunMs: 120_000,
  seconds: 20,
  // Twice what the largest image takes.
  megabytes: 1_024,
};

export function createImageConverter(
  changedLimits: Partial<ConverterLimits> = {},
  worker: string = moduleFile(import.meta.dirname, 'image-worker.ts'),
): ImageConverter {
  const limits = { ...converterLimits, ...changedLimits };
  const { processes, ...waiting } = limits;
  const resource = 'the conversion of images';
  const slots = createTenantSlots({ ...waiting, slots: processes, share: 1, resource });
  return {
    convert: (tenant, open, conversion) =>
      slots.run(tenant, async () => runWorker(worker, await open(), conversion, limits)),
  };
}

const maxOutputBytes = 64 * 1_048_576;

async function runWorker(
  worker: string,
  source: Readable,
  conversion: Conversion,
  { maxRunMs, megabytes, seconds }: ConverterLimits,
): Promise<Converted | { failure: ConversionFailure }> {
  const limits: ProcessLimits = { megabytes, seconds };
  const child = startIsolated(worker, [JSON.stringify(conversion), JSON.stringify(limits)]);
  const timer = setTimeout(() => child.kill('SIGKILL'), maxRunMs);
  const [ended, output, complaint, sent] = await Promise.all([
    endOf(child),
    collect(child.stdout, maxOutputBytes),
    collect(child.stderr, 10_000),
    // A worker that has ended takes no more.
    pipeline(source, child.stdin).then(
      () => undefined,
      (error: NodeJS.ErrnoException) => error,
    ),
  ]).finally(() => clearTimeout(timer));
  if (ended.signal) return { failure: 'damaged' };
  if (ended.code !== 0) throw new Error(`the image worker failed: ${complaint}`);
  if (sent && sent.code !== 'EPIPE') throw sent;
  return parseOutput(output);
}

/** A worker that cannot be started ends with the error. */
function endOf(
  child: IsolatedProcess,
): Promise<{ code: number | null; signal: NodeJS.Signals | null }> {
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code, signal) => resolve({ code, signal }));
  });
}

async function collect(stream: Readable, maxBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of stream) {
    size += chunk.length;
    if (size <= maxBytes) chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function parseOutput(output: Buffer): Converted | { failure: ConversionFailure } {
  const end = output.indexOf('\n');
  const head = JSON.parse(output.toString('utf8', 0, end)) as
    | { failure: ConversionFailure }
    | { renditions: Rendition[] };
  if ('failure' in head) return head;
  let offset = end + 1;
  const renditions = head.renditions.map((rendition) => {
    const data = output.subarray(offset, offset + rendition.bytes);
    offset += data.length;
    return { ...rendition, data };
  });
  // Of each, too: whoever has taken over the decoder says what they like.
  if (offset !== output.length || renditions.some(({ bytes, data }) => bytes !== data.length))
    throw new Error('the image worker wrote another number of bytes');
  return { renditions };
}
