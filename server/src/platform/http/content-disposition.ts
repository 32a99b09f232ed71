import { create } from 'content-disposition';

// Control characters, and bidirectional ones that can disguise the file extension.
const misleading = /[\p{Cc}\p{Bidi_Control}\u2028\u2029]/gu;

/** The Content-Disposition of a download, with a sanitized file name. */
export function attachment(filename: string): string {
  const safe = filename.toWellFormed().replaceAll(misleading, '').replaceAll(/[/\\]/g, '_') || '_';
  return create(safe);
}
