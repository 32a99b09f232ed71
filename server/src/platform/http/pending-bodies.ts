import { createCounts } from '../counts.ts';
import { type ClientOf, clientKey, shareOfClient } from './principal.ts';
import { tooManyRequests } from './problem.ts';

type Limits = {
  /** Bytes of a provider, of which one client has a part at most. */
  ofProvider: number;
  /** Of all providers; beyond these, a provider may have those that are reserved for it. */
  ofProcess?: number;
  reserved?: number;
  /** What a refusal says. */
  detail: string;
};

export type PendingBody = {
  /** Counts so many bytes more; 429 when they are too many. */
  add(bytes: number): void;
  end(): void;
};

const retrySeconds = 5;

/** Bounds the memory of bodies until they end, which clients may send as slowly as they like. */
export function createPendingBodies({
  ofProvider,
  ofProcess = Number.POSITIVE_INFINITY,
  reserved = ofProvider,
  detail,
}: Limits) {
  const pending = createCounts();
  let total = 0;

  return function begin(caller: ClientOf): PendingBody {
    const [provider, client] = [caller.provider, clientKey(caller)];
    let own = 0;
    let isEnded = false;
    return {
      add(bytes) {
        if (isEnded) return;
        const isTooMuch =
          pending.of(provider) + bytes > (total + bytes > ofProcess ? reserved : ofProvider) ||
          pending.of(client) + bytes > ofProvider * shareOfClient;
        if (isTooMuch) throw tooManyRequests(detail, retrySeconds);
        for (const holder of [provider, client]) pending.add(holder, bytes);
        own += bytes;
        total += bytes;
      },
      end() {
        if (isEnded) return;
        isEnded = true;
        total -= own;
        for (const holder of [provider, client]) pending.add(holder, -own);
      },
    };
  };
}
