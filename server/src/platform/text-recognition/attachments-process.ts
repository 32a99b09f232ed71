import { buffer } from 'node:stream/consumers';
import { watchProcess } from '../isolation/watch-process.ts';

export type AttachmentLimits = { files: number; bytes: number; megabytes: number; seconds: number };

export type AttachmentsResult = {
  attachments?: { name: string; base64: string }[];
  failure?: 'damaged' | 'encrypted' | 'tooManyFiles' | 'tooLarge' | 'memory' | 'timeout';
};

/** The process that reads one PDF: its bytes come on standard input, its XML attachments go to standard output. */

// Made at the start of pdfjs for drawing, which is not done here and would need native code.
Object.assign(globalThis, { DOMMatrix: class {} });
const { getDocument } = await import('pdfjs-dist/legacy/build/pdf.mjs');

const limits = JSON.parse(process.argv[2] ?? '') as AttachmentLimits;
watchProcess(limits);

const result = await read().catch((error: unknown): AttachmentsResult => {
  const isEncrypted = error instanceof Error && error.name === 'PasswordException';
  return { failure: isEncrypted ? 'encrypted' : 'damaged' };
});
process.stdout.write(JSON.stringify(result), () => process.exit(0));

async function read(): Promise<AttachmentsResult> {
  const data = new Uint8Array(await buffer(process.stdin));
  const pdf = await getDocument({ data, isEvalSupported: false, verbosity: 0 }).promise;
  const found: Record<string, { filename?: string; content?: Uint8Array }> =
    (await pdf.getAttachments()) ?? {};
  const files = Object.entries(found);
  if (files.length > limits.files) return { failure: 'tooManyFiles' };
  const attachments = files.flatMap(([key, { filename = key, content }]) => {
    if (!content || !isXml(content)) return [];
    return { name: filename, base64: Buffer.from(content).toString('base64') };
  });
  const characters = attachments.reduce((sum, { base64 }) => sum + base64.length, 0);
  return (characters / 4) * 3 > limits.bytes ? { failure: 'tooLarge' } : { attachments };
}

function isXml(content: Uint8Array): boolean {
  const head = Buffer.from(content.subarray(0, 64)).toString('latin1');
  return /^[^\s<]{0,3}\s*</.test(head.replaceAll('\0', ''));
}
