import type { ServerResponse } from 'node:http';
import { createCounts } from '../counts.ts';
import { maxAnswerBytes } from './large-json.ts';
import { onceClosed } from './once-closed.ts';
import { type ClientOf, clientKey, shareOfClient } from './principal.ts';
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
  const unsent = createCounts();

  /** Counts an answer until its response is closed; 429 when it is one too many. */
  return function hold(
    caller: ClientOf,
    pieces: readonly (Buffer | string)[],
    response: ServerResponse,
  ): void {
    const bytes = pieces.reduce((sum, piece) => sum + Buffer.byteLength(piece), 0);
    if (bytes < largeAnswerBytes) return;
    const [provider, client] = [caller.provider, clientKey(caller)];
    const isTooMuch =
      unsent.of(provider) + bytes > maxBytes ||
      unsent.of(client) + bytes > maxBytes * shareOfClient;
    if (isTooMuch)
      throw tooManyRequests(
        'Too many large answers wait to be read by this client, or by all of this asset provider: read them first.',
        retrySeconds,
      );
    for (const holder of [provider, client]) unsent.add(holder, bytes);
    onceClosed(response, () => {
      for (const holder of [provider, client]) unsent.add(holder, -bytes);
    });
  };
}
