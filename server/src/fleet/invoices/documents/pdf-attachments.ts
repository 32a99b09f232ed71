import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { unavailable } from '../../../platform/http/problem.ts';
import { DocumentError } from './document-error.ts';
import { xmlBounds } from './parse-xml.ts';

export type Attachment = { name: string; bytes: Buffer };

export type AttachmentLimits = { files: number; bytes: number; megabytes: number; seconds: number };

export type AttachmentsResult = {
  attachments?: { name: string; base64: string }[];
  failure?: keyof typeof failures;
};

const failures = {
  damaged: 'The PDF cannot be read.',
  encrypted: 'The PDF is protected by a password.',
  tooManyFiles: 'The PDF has too many attachments.',
  tooLarge: 'The attachments of the PDF are too large.',
  memory: 'Reading the PDF takes too much memory.',
  timeout: 'Reading the PDF takes too long.',
};

const limits: AttachmentLimits = {
  files: 200,
  bytes: xmlBounds.bytes,
  megabytes: 512,
  seconds: 20,
};
const maxWaiting = 20;
let waiting = 0;
let last: Promise<unknown> = Promise.resolve();

/** The XML files in a PDF, read in a process of its own, one PDF at a time. */
export async function pdfAttachments(
  bytes: Uint8Array,
  within: Partial<AttachmentLimits> = {},
): Promise<Attachment[]> {
  if (waiting >= maxWaiting) throw unavailable('Too many documents wait to be read.');
  waiting++;
  const result = last.then(() => readInProcess(bytes, { ...limits, ...within }));
  last = result.catch(() => {}).finally(() => waiting--);
  return result;
}

async function readInProcess(bytes: Uint8Array, within: AttachmentLimits): Promise<Attachment[]> {
  const child = startProcess(within);
  let failure: keyof typeof failures = 'damaged';
  const timer = setTimeout(() => {
    failure = 'timeout';
    child.kill('SIGKILL');
  }, within.seconds * 1_000);
  try {
    // A child that is gone says why by what it wrote.
    child.stdin.on('error', () => {});
    child.stdin.end(bytes);
    const [output] = await Promise.all([collect(child.stdout, 2 * within.bytes), closed(child)]);
    const result = parse(output);
    if (result.attachments) {
      return result.attachments.map(({ name, base64 }) => ({
        name,
        bytes: Buffer.from(base64, 'base64'),
      }));
    }
    throw new DocumentError('malformed', failures[result.failure ?? failure]);
  } finally {
    clearTimeout(timer);
    child.kill('SIGKILL');
  }
}

function parse(output: string): AttachmentsResult {
  try {
    return JSON.parse(output);
  } catch {
    return {};
  }
}

type Child = ChildProcessByStdio<Writable, Readable, null>;

const sources = join(import.meta.dirname, '../../..');
const packages = dirname(dirname(createRequire(import.meta.url).resolve('saxes/package.json')));

/** Without the environment and the rights of this process: it may read the program, and write nothing. */
function startProcess(within: AttachmentLimits): Child {
  return spawn(
    process.execPath,
    [
      '--permission',
      `--allow-fs-read=${join(sources, '*')}`,
      `--allow-fs-read=${join(packages, '*')}`,
      '--allow-worker',
      '--disable-warning=SecurityWarning',
      `--max-old-space-size=${Math.ceil(within.megabytes / 2)}`,
      '--import',
      new URL('../../../platform/text-recognition/refuse-network.ts', import.meta.url).href,
      fileURLToPath(new URL('./pdf-attachments-process.ts', import.meta.url)),
      JSON.stringify(within),
    ],
    { cwd: sources, env: {}, stdio: ['pipe', 'pipe', 'ignore'] },
  );
}

function closed(child: Child): Promise<void> {
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', () => resolve());
  });
}

async function collect(stream: Readable, maxBytes: number): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size <= maxBytes) chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}
