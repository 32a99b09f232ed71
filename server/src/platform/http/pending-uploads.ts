import type { IncomingHttpHeaders } from 'node:http';
import { tooManyRequests } from './problem.ts';

/** A store keeps no more of an upload in memory: two parts of an S3. */
const maxBytesOfUpload = 10 * 1024 * 1024;
/** As much as of answers that are not read (docs/decisions/0028-bounds.md). */
const maxBytesOfProvider = 128 * 1024 * 1024;
const retrySeconds = 5;

/** Bounds the memory of the uploads of a provider, which clients may send as slowly as they like. */
export function createPendingUploads() {
  const pending = new Map<string, number>();

  /** Counts an upload; returns the function that ends it. 429 when it is one too many. */
  return function begin(provider: string, headers: IncomingHttpHeaders): () => void {
    const size = Number(headers['content-length'] ?? maxBytesOfUpload);
    const bytes = Math.min(size, maxBytesOfUpload);
    const before = pending.get(provider) ?? 0;
    if (before + bytes > maxBytesOfProvider)
      throw tooManyRequests(
        'Too many large files are being uploaded for this asset provider: upload fewer at a time.',
        retrySeconds,
      );
    pending.set(provider, before + bytes);
    return () => {
      const remaining = (pending.get(provider) ?? bytes) - bytes;
      if (remaining > 0) pending.set(provider, remaining);
      else pending.delete(provider);
    };
  };
}
