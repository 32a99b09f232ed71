import { Problem } from './problem.ts';

export function etagOf(version: number): string {
  return `"${version}"`;
}

/** The ETags one of which the state must have; nothing when any state will do. */
export function matchingTags(ifMatch: string | undefined): string[] | undefined {
  if (ifMatch === undefined || ifMatch.trim() === '*') return undefined;
  return ifMatch.split(',').map((tag) => tag.trim());
}

/** Refuses a change of something that has changed since the client saw it. Without If-Match, none. */
export function requireMatch(ifMatch: string | undefined, version: number): void {
  if (ifMatch === undefined) return;
  const tags = matchingTags(ifMatch);
  if (!tags || tags.includes(etagOf(version))) return;
  throw new Problem(412, 'changed-meanwhile', 'It has changed meanwhile', {
    detail: `If-Match says ${ifMatch.slice(0, 100)}, and the ETag is ${etagOf(version)} now: read it again.`,
  });
}
