import { Problem } from '../../platform/http/problem.ts';

export function etagOf(version: number): string {
  return `"${version}"`;
}

/** Refuses a change of something that has changed since the client saw it. Without If-Match, none. */
export function requireMatch(ifMatch: string | undefined, version: number): void {
  if (ifMatch === undefined || ifMatch.trim() === '*') return;
  const tags = ifMatch.split(',').map((tag) => tag.trim());
  if (tags.includes(etagOf(version))) return;
  throw new Problem(412, 'changed-meanwhile', 'It has changed meanwhile', {
    detail: `If-Match says ${ifMatch.slice(0, 100)}, and the ETag is ${etagOf(version)} now: read it again.`,
  });
}
