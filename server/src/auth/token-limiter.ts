import { type AttemptLimiter, createAttemptLimiter } from './attempt-limiter.ts';

const maxFailuresPerClient = 20;
const maxFailuresPerNetwork = 100;

export type TokenLimiter = Pick<AttemptLimiter, 'waitSeconds' | 'count'>;

/** Limits failed token requests of one network: for one client, and for all clients together. */
export function createTokenLimiter(): TokenLimiter {
  const clients = createAttemptLimiter(maxFailuresPerClient);
  const networks = createAttemptLimiter(maxFailuresPerNetwork);
  const networkOf = (target: readonly string[]) => target.slice(-1);
  return {
    waitSeconds: (target) =>
      Math.max(clients.waitSeconds(target), networks.waitSeconds(networkOf(target))),
    count(target) {
      // One network cannot evict the counts of others by inventing clients.
      if (networks.waitSeconds(networkOf(target)) > 0) return;
      networks.count(networkOf(target));
      clients.count(target);
    },
  };
}
