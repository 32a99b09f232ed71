import { decodedPath } from './request-target.ts';

/** A segment that names a person, after the path that leads to it, which is the only group; and what stands for it. */
export type PersonalSegment = { pattern: RegExp; placeholder: string };

/** The path as logs and traces have it: without the query, which may carry codes and tokens, and without whom it names. */
export function loggedPath(url: string, personal: PersonalSegment | undefined): string {
  const [path = ''] = url.split('?', 1);
  if (!personal) return path;
  // However it is written: routes are found by the decoded path, and a person is named also where none is found.
  const plain = (decodedPath(path) ?? path).replace(/%2f/gi, '/').replace(/\/{2,}/g, '/');
  const anonymous = plain.replace(personal.pattern, `$1${personal.placeholder}`);
  return anonymous === plain ? path : anonymous;
}
