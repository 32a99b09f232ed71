import { create } from 'content-disposition';

// Control characters, and bidirectional ones that can disguise the file extension.
const misleading = /[\p{Cc}\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

/** The Content-Disposition of a download, with a sanitized file name. */
export function attachment(filename: string): string {
  const safe = filename.toWellFormed().replaceAll(misleading, '').replaceAll(/[/\\]/g, '_') || '_';
  return create(safe);
}
