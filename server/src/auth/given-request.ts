import type { IncomingMessage } from 'node:http';
import { parse } from 'node:querystring';
import { formType, invalidRequest, requireFewParameters } from './form-parameters.ts';

/** More than a token and an assertion have. The library would take more, and parse a long text for milliseconds. */
export const maxFormBytes = 20 * 1_024;

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

/**
 * Hands on a form of few bytes and parameters, without those that name a resource: there is one, and tokens are for it. The library
 * would parse each, however long that takes.
 */
export async function boundForm(raw: IncomingMessage): Promise<void> {
  const body = await readBody(raw);
  // What is looked for here in one charset must not be found there in another.
  if (raw.headers['content-type']?.toLowerCase().startsWith(formType))
    raw.headers['content-type'] = formType;
  const text = body.toString();
  requireFewParameters(text, 'form');
  const parameters = text.split('&');
  const kept = parameters.filter((parameter) => !isResource(parameter));
  handOn(raw, kept.length === parameters.length ? body : Buffer.from(kept.join('&')));
}

const longestName = '%72%65%73%6F%75%72%63%65'.length;

function isResource(parameter: string): boolean {
  const [name = ''] = parameter.split('=', 1);
  return name.length <= longestName && 'resource' in parse(name);
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
