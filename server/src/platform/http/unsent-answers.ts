import type { ServerResponse } from 'node:http';
import { maxAnswerBytes } from './large-json.ts';
import { onceClosed } from './once-closed.ts';
import { tooManyRequests } from './problem.ts';

/** Smaller answers are bounded by the number of requests in flight. */
const largeAnswerBytes = 262_144;
export const maxUnsentAnswers = 8;
const retrySeconds = 5;

/**
 * Bounds the memory of large answers that the clients of a provider have not read yet, as slowly as they may
 * (docs/decisions/0028-bounds.md).
 */
export function createUnsentAnswers(maxBytes = maxUnsentAnswers * maxAnswerBytes) {
  const unsent = new Map<string, number>();

  /** Counts an answer until its response is closed; 429 when it is one too many. */
  return function hold(
    provider: string,
    pieces: readonly (Buffer | string)[],
    response: ServerResponse,
  ): void {
    const bytes = pieces.reduce((sum, piece) => sum + Buffer.byteLength(piece), 0);
    if (bytes < largeAnswerBytes) return;
    const before = unsent.get(provider) ?? 0;
    if (before + bytes > maxBytes)
      throw tooManyRequests(
        'Too many large answers wait to be read by the clients of this asset provider: read them first.',
        retrySeconds,
      );
    unsent.set(provider, before + bytes);
    onceClosed(response, () => {
      const remaining = (unsent.get(provider) ?? bytes) - bytes;
      if (remaining > 0) unsent.set(provider, remaining);
      else unsent.delete(provider);
    });
  };
}
