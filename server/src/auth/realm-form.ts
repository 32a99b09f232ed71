import { Problem } from '../platform/http/problem.ts';
import type { RealmRequest } from './realm-route.ts';

const mediaType = 'application/x-www-form-urlencoded';

/** The form that a request has sent, whose length has been checked. */
export async function readForm({ raw, headers }: RealmRequest): Promise<URLSearchParams> {
  const sent = headers['content-type'];
  if (sent !== undefined && !sent.toLowerCase().startsWith(mediaType))
    throw new Problem(415, 'invalid-request', 'Unsupported media type', {
      detail: `The body must be ${mediaType}.`,
    });
  const chunks: Buffer[] = [];
  for await (const chunk of raw) chunks.push(chunk);
  return new URLSearchParams(Buffer.concat(chunks).toString('utf8'));
}
