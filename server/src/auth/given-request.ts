import type { IncomingMessage } from 'node:http';
import { formType, invalidRequest } from './realm-form.ts';

/** More than the library knows, by far: its parser of queries takes a time that grows with the square of their number. */
export const maxParameters = 100;
/** Of the library itself. */
export const maxFormBytes = 56 * 1_024;

/** 400 for a query of more parameters than are handed on. */
export function requireFewParameters(url: string): void {
  if (url.split('&', maxParameters + 1).length > maxParameters)
    throw invalidRequest(400, `The address has more than ${maxParameters} parameters.`);
}

/** Of the two that the library tells apart: what parses the header there takes a second for one that is full of quotes. */
export function acceptedType(accept = ''): string {
  return /\btext\/html\b/i.test(accept) && !/json/i.test(accept) ? 'text/html' : 'application/json';
}

/** Hands a form on to the library, which reads it from the request, though it has been read. */
export function handOn(raw: IncomingMessage, body: Buffer): void {
  raw.headers['content-length'] = String(body.length);
  Object.defineProperties(raw, {
    readable: { value: true, writable: true },
    iterator: { value: () => [body].values() },
  });
}

/** There is one resource, and tokens are for it. The library would parse those that a form names, however long they take. */
export async function dropResources(raw: IncomingMessage): Promise<void> {
  const body = await readBody(raw);
  // What is looked for here in one charset must not be found there in another.
  if (raw.headers['content-type']?.toLowerCase().startsWith(formType))
    raw.headers['content-type'] = formType;
  const form = new URLSearchParams(body.toString());
  if (!form.has('resource')) return handOn(raw, body);
  form.delete('resource');
  handOn(raw, Buffer.from(form.toString()));
}

async function readBody(raw: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of raw.iterator({ destroyOnReturn: false })) {
      bytes += chunk.length;
      if (bytes > maxFormBytes) break;
      chunks.push(chunk);
    }
  } catch {
    throw invalidRequest(400, 'The connection ended before the whole form had come.');
  }
  if (bytes <= maxFormBytes) return Buffer.concat(chunks);
  // The rest of it is passed over, so that the connection can be used again.
  raw.resume();
  throw invalidRequest(413, `The form has more than ${maxFormBytes} bytes.`);
}
