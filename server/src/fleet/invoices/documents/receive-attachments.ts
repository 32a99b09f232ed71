import type { AttachmentsResult } from '../../../platform/text-recognition/attachments-process.ts';

export type Attachment = { name: string; bytes: Buffer };

type Received = { attachments?: Attachment[]; failure?: AttachmentsResult['failure'] };

const maxHeadBytes = 1_048_576;

/**
 * What the process that reads a PDF writes. Each piece is copied when it comes: all at once, as by a text of them, they
 * would hold up other requests. Neither attachments nor a failure where the output is not whole.
 */
export async function receiveAttachments(
  output: AsyncIterable<Buffer>,
  maxBytes: number,
): Promise<Received> {
  let head = Buffer.alloc(0);
  let result: AttachmentsResult | undefined;
  let bytes = Buffer.alloc(0);
  let received = 0;
  for await (const piece of output) {
    let content = piece;
    if (!result) {
      if (head.length > maxHeadBytes) continue;
      head = Buffer.concat([head, piece]);
      const end = head.indexOf('\n');
      if (end < 0) continue;
      result = parse(head.subarray(0, end));
      bytes = Buffer.alloc(Math.min(sizeOf(result), maxBytes));
      content = head.subarray(end + 1);
    }
    content.copy(bytes, received);
    received += content.length;
  }
  // A process that takes too much says so without ending the line.
  const { attachments, failure } = result ?? parse(head);
  if (!attachments || received !== bytes.length) return { failure };
  let start = 0;
  return {
    attachments: attachments.map(({ name, size }) => {
      start += size;
      return { name, bytes: bytes.subarray(start - size, start) };
    }),
  };
}

function sizeOf({ attachments = [] }: AttachmentsResult): number {
  return attachments.reduce((sum, { size }) => sum + size, 0);
}

/** The document may have taken over the process: what it writes need not be of the type. */
function parse(text: Buffer): AttachmentsResult {
  try {
    const { attachments = [], ...result }: AttachmentsResult = JSON.parse(text.toString());
    const isValid = attachments.every(
      ({ name, size }) => typeof name === 'string' && Number.isSafeInteger(size) && size >= 0,
    );
    return isValid && !result.failure ? { attachments } : { failure: result.failure };
  } catch {
    return {};
  }
}
