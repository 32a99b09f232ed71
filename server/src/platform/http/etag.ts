import { hash } from 'node:crypto';
import type { Queryable } from '../db/database.ts';
import { notFound, Problem } from './problem.ts';

export function etagOf(version: number): string {
  return `"${version}"`;
}

/** The ETag of an answer: the version of the record, for If-Match, and a hash of its representation, for If-None-Match. */
export function representationEtag(etag: string, text: string | Buffer): string {
  return extended(etag, hash('sha256', text, 'base64url').slice(0, 16));
}

/** The ETag of a representation in a content coding. A weak one names all of them. */
export function encodedEtag(etag: string, coding: string): string {
  return etag.startsWith('W/') ? etag : extended(etag, coding);
}

function extended(etag: string, part: string): string {
  return `${etag.slice(0, -1)}.${part}"`;
}

const versionForm = /^"(\d+)(?:\.[\w.-]+)?"$/;
const codingForm = /\.(?:gzip|br|zstd)"$/;

function namesVersion(tag: string, version: number): boolean {
  return tag === '*' || versionForm.exec(tag)?.[1] === String(version);
}

/**
 * Throws 412 unless If-Match, if present, names the version that the write has replaced (undefined for a creation).
 * Called in the transaction of the write, which then rolls back.
 */
export function requireMatch(ifMatch: string | undefined, replaced: number | undefined): void {
  if (ifMatch === undefined) return;
  const tags = tagsOf(ifMatch);
  if (replaced !== undefined && tags.some((tag) => namesVersion(tag, replaced))) return;
  const state =
    replaced === undefined ? 'it does not exist' : `the ETag is ${etagOf(replaced)} now`;
  throw new Problem(412, 'changed-meanwhile', 'It has changed meanwhile', {
    detail: `If-Match says ${ifMatch.slice(0, 100)}, and ${state}: read it again.`,
  });
}

/**
 * Checks If-Match, if present, before a costly write: 404 without the row that `where` names (`table where …`), 412 as
 * `requireMatch` does. Locks the row, unless other rows must be locked before it.
 */
export async function requireMatchingRow(
  tx: Queryable,
  resource: string,
  where: string,
  key: readonly unknown[],
  ifMatch: string | undefined,
  lock: 'for update' | '' = 'for update',
): Promise<void> {
  if (ifMatch === undefined) return;
  const [row] = await tx.query<{ version: number }>(`select version from ${where} ${lock}`, key);
  if (!row) throw notFound(resource);
  requireMatch(ifMatch, row.version);
}

/** Deletes the row that `where` names, with all that belongs to it: 404 without one, 412 before anything is deleted. */
export async function deleteMatching(
  tx: Queryable,
  resource: string,
  where: string,
  key: readonly unknown[],
  ifMatch: string | undefined,
): Promise<void> {
  await requireMatchingRow(tx, resource, where, key, ifMatch);
  const [row] = await tx.query(`delete from ${where} returning version`, key);
  if (!row) throw notFound(resource);
}

/** As `requireMatch`, and checks If-None-Match: for a write that can also create. */
export function requireConditions(
  header: (name: string) => string | undefined,
  replaced: number | undefined,
): void {
  requireMatch(header('if-match'), replaced);
  const ifNoneMatch = header('if-none-match');
  const tags = tagsOf(ifNoneMatch ?? '').map(withoutWeakness);
  if (replaced === undefined || !tags.some((tag) => namesVersion(tag, replaced))) return;
  throw new Problem(412, 'exists-already', 'It exists already', {
    detail: `If-None-Match says ${ifNoneMatch?.slice(0, 100)}, and the ETag is ${etagOf(replaced)}.`,
  });
}

/** Whether If-None-Match names the ETag, by weak comparison, and in whichever coding. */
export function includesEtag(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  const tags = tagsOf(ifNoneMatch).map((tag) => withoutWeakness(tag).replace(codingForm, '"'));
  return tags.includes(etag) || tags.includes('*');
}

function withoutWeakness(tag: string): string {
  return tag.replace(/^W\//, '');
}

// A header has room for thousands, and no client has read so many states.
const maxTags = 100;

function tagsOf(header: string): string[] {
  return header.split(',', maxTags).map((tag) => tag.trim());
}

/** The texts that document the ETags of a resource. */
export function etagTexts(resource: string) {
  const ifMatchHeader = {
    'If-Match': 'The ETag as it was read: 412 when it has changed since.',
  };
  return {
    etagHeader: {
      ETag: `Names this state of the ${resource}, for If-Match, and this answer, for If-None-Match.`,
    },
    ifMatchHeader,
    changedMeanwhile: {
      412: `The ${resource} has changed since the state that If-Match names.`,
    },
    /** For a PUT that can also create. */
    conditionHeaders: {
      ...ifMatchHeader,
      'If-None-Match': '`*` to create alone: 412 when it exists.',
    },
    conditionFailed: {
      412: `The ${resource} is not in the state that If-Match names, or exists against If-None-Match.`,
    },
  };
}
