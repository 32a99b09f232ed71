import { transcode } from 'node:buffer';

/** `Buffer.from(text)`, but faster for text with characters beyond ASCII: docs/decisions/0025-hot-path.md. */
export function encodeText(text: string): Buffer {
  return transcode(Buffer.from(text, 'utf16le'), 'utf16le', 'utf8') as Buffer;
}
