import { type AttemptLimiter, createAttemptLimiter } from './attempt-limiter.ts';

const maxFailuresPerClient = 20;
const maxFailuresPerNetwork = 100;

/** Of a user with one client in a minute: each costs several signatures, and a page needs one every few minutes. */
const maxRefreshes = 300;

/** Counts the use of a refresh token that can be used; the seconds to wait when there were too many. */
export type RefreshLimiter = (target: {
  provider: string;
  subject: string;
  clientId: string;
}) => number;

export function createRefreshLimiter(): RefreshLimiter {
  const limiter = createAttemptLimiter(maxRefreshes);
  return ({ provider, subject, clientId }) => {
    const target = [provider, subject, clientId];
    const waitSeconds = limiter.waitSeconds(target);
    if (waitSeconds === 0) limiter.count(target);
    return waitSeconds;
  };
}

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
