import type { IncomingHttpHeaders } from 'node:http';
import { createPendingBodies } from './pending-bodies.ts';
import type { ClientOf } from './principal.ts';

/** A store keeps no more of an upload in memory: two parts of an S3. */
const maxBytesOfUpload = 10 * 1_048_576;
/** As much as of answers that are not read (docs/decisions/0028-bounds.md). */
const maxBytesOfProvider = 128 * 1_048_576;

/** Bounds the memory of the uploads of a provider. */
export function createPendingUploads() {
  const begin = createPendingBodies({
    ofProvider: maxBytesOfProvider,
    detail:
      'Too many large files are being uploaded by this client, or for this asset provider: upload fewer at a time.',
  });

  /** Counts an upload; returns the function that ends it. 429 when it is one too many. */
  return (caller: ClientOf, headers: IncomingHttpHeaders): (() => void) => {
    const upload = begin(caller);
    const size = Number(headers['content-length'] ?? maxBytesOfUpload);
    upload.add(Math.min(size, maxBytesOfUpload));
    return upload.end;
  };
}
