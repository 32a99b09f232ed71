import { buffer } from 'node:stream/consumers';
import { watchProcess } from '../isolation/watch-process.ts';

export type AttachmentLimits = { files: number; bytes: number; megabytes: number; seconds: number };

/** The first line of the output, as JSON; the bytes of the attachments follow it, one after the other. */
export type AttachmentsResult = {
  attachments?: { name: string; size: number }[];
  failure?: 'damaged' | 'encrypted' | 'tooManyFiles' | 'tooLarge' | 'memory' | 'timeout';
};

/** The process that reads one PDF: its bytes come on standard input, its XML attachments go to standard output. */

// Made at the start of pdfjs for drawing, which is not done here and would need native code.
Object.assign(globalThis, { DOMMatrix: class {} });
const { getDocument } = await import('pdfjs-dist/legacy/build/pdf.mjs');

const limits = JSON.parse(process.argv[2] ?? '') as AttachmentLimits;
watchProcess(limits);

const maxNameLength = 200;

const { contents = [], ...result } = await read().catch((error: unknown): Output => {
  const isEncrypted = error instanceof Error && error.name === 'PasswordException';
  return { failure: isEncrypted ? 'encrypted' : 'damaged' };
});
process.stdout.write(`${JSON.stringify(result)}\n`);
for (const content of contents) process.stdout.write(content);
process.stdout.write('', () => process.exit(0));

type Output = AttachmentsResult & { contents?: Uint8Array[] };

async function read(): Promise<Output> {
  const data = new Uint8Array(await buffer(process.stdin));
  const pdf = await getDocument({ data, isEvalSupported: false, verbosity: 0 }).promise;
  const found: Record<string, { filename?: string; content?: Uint8Array }> =
    (await pdf.getAttachments()) ?? {};
  const files = Object.entries(found);
  if (files.length > limits.files) return { failure: 'tooManyFiles' };
  const xml = files.flatMap(([key, { filename = key, content }]) =>
    content && isXml(content) ? { name: filename.slice(0, maxNameLength), content } : [],
  );
  const bytes = xml.reduce((sum, { content }) => sum + content.length, 0);
  if (bytes > limits.bytes) return { failure: 'tooLarge' };
  return {
    attachments: xml.map(({ name, content }) => ({ name, size: content.length })),
    contents: xml.map(({ content }) => content),
  };
}

function isXml(content: Uint8Array): boolean {
  const head = Buffer.from(content.subarray(0, 64)).toString('latin1');
  return /^[^\s<]{0,3}\s*</.test(head.replaceAll('\0', ''));
}
