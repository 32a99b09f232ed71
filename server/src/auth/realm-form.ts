import { formType, invalidRequest, parseForm } from './form-parameters.ts';
import type { RealmRequest } from './realm-route.ts';
import { sizeProblem } from './sign-in/start-limits.ts';

/** The form that a request has sent, up to a size. */
export async function readForm(request: RealmRequest): Promise<URLSearchParams> {
  const size = sizeProblem(request);
  if (size) throw invalidRequest(size.status, size.description);
  const sent = request.headers['content-type'];
  if (sent !== undefined && !sent.toLowerCase().startsWith(formType))
    throw invalidRequest(415, `The body must be ${formType}.`);
  return parseForm((await readBody(request)).toString('utf8'));
}

async function readBody({ raw }: RealmRequest): Promise<Buffer> {
  try {
    const chunks: Buffer[] = [];
    for await (const chunk of raw) chunks.push(chunk);
    return Buffer.concat(chunks);
  } catch {
    throw invalidRequest(400, 'The connection ended before the whole form had come.');
  }
}
