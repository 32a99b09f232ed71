import { tooManyRequests } from './problem.ts';

type Limits = {
  /** Bytes of a provider. */
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
  const pending = new Map<string, number>();
  let total = 0;

  return function begin(provider: string): PendingBody {
    let own = 0;
    let isEnded = false;
    return {
      add(bytes) {
        if (isEnded) return;
        const sum = (pending.get(provider) ?? 0) + bytes;
        if (sum > (total + bytes > ofProcess ? reserved : ofProvider))
          throw tooManyRequests(detail, retrySeconds);
        pending.set(provider, sum);
        own += bytes;
        total += bytes;
      },
      end() {
        if (isEnded) return;
        isEnded = true;
        total -= own;
        const left = (pending.get(provider) ?? own) - own;
        if (left > 0) pending.set(provider, left);
        else pending.delete(provider);
      },
    };
  };
}
