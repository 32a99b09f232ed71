import {
  type IsolatedProcess,
  startIsolated,
} from '../../../platform/isolation/isolated-process.ts';
import { moduleFile } from '../../../platform/isolation/module-file.ts';
import { clockFactor } from '../../../platform/isolation/watch-process.ts';
import type { AttachmentLimits } from '../../../platform/text-recognition/attachments-process.ts';
import { DocumentError } from './document-error.ts';
import { xmlBounds } from './parse-xml.ts';
import { type Attachment, receiveAttachments } from './receive-attachments.ts';

const failures = {
  damaged: 'The PDF cannot be read.',
  encrypted: 'The PDF is protected by a password.',
  tooManyFiles: 'The PDF has too many attachments.',
  tooLarge: 'The attachments of the PDF are too large.',
  memory: 'Reading the PDF takes too much memory.',
  timeout: 'Reading the PDF takes too long.',
};

export const attachmentLimits: AttachmentLimits = {
  files: 200,
  bytes: xmlBounds.bytes,
  megabytes: 512,
  seconds: 20,
};
const attachmentsProcess = moduleFile(
  import.meta.dirname,
  '../../../platform/text-recognition/attachments-process.ts',
);

/** The XML files in a PDF, read in a process of its own. */
export async function pdfAttachments(
  bytes: Uint8Array,
  changedLimits: Partial<AttachmentLimits> = {},
): Promise<Attachment[]> {
  const within = { ...attachmentLimits, ...changedLimits };
  const child = startIsolated(attachmentsProcess, [JSON.stringify(within)]);
  let failure: keyof typeof failures = 'damaged';
  const timer = setTimeout(
    () => {
      failure = 'timeout';
      child.kill('SIGKILL');
    },
    within.seconds * clockFactor * 1_000,
  );
  try {
    // A child that is gone says why by what it wrote.
    child.stdin.on('error', () => {});
    child.stderr.resume();
    child.stdin.end(bytes);
    const received = receiveAttachments(child.stdout, within.bytes);
    const [result] = await Promise.all([received, closed(child)]);
    if (result.attachments) return result.attachments;
    throw new DocumentError('malformed', failures[result.failure ?? failure]);
  } finally {
    clearTimeout(timer);
    child.kill('SIGKILL');
  }
}

function closed(child: IsolatedProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', () => resolve());
  });
}
