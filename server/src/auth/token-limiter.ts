import { createFailedLoginLimiter, type FailedLoginLimiter } from './failed-login-limiter.ts';

const maxFailuresPerClient = 20;
const maxFailuresPerNetwork = 100;

export type TokenLimiter = Pick<FailedLoginLimiter, 'waitSeconds' | 'failed'>;

/** Limits failed token requests of one network: for one client, and for all clients together. */
export function createTokenLimiter(): TokenLimiter {
  const clients = createFailedLoginLimiter(maxFailuresPerClient);
  const networks = createFailedLoginLimiter(maxFailuresPerNetwork);
  const networkOf = (target: readonly string[]) => target.slice(-1);
  return {
    waitSeconds: (target) =>
      Math.max(clients.waitSeconds(target), networks.waitSeconds(networkOf(target))),
    failed(target) {
      // One network cannot evict the counts of others by inventing clients.
      if (networks.waitSeconds(networkOf(target)) > 0) return;
      networks.failed(networkOf(target));
      clients.failed(target);
    },
  };
}
