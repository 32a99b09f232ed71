import type { FastifyReply } from 'fastify';
import { clientNetwork, siteOf } from '../../platform/http/client-network.ts';
import { createAttemptLimiter } from '../attempt-limiter.ts';
import { errorPage, pagePolicy } from '../pages.ts';
import type { RealmRequest } from '../realm-route.ts';
import { userOfDevice } from './known-device.ts';
import type { SignInKey } from './sign-in-key.ts';

/** Bounds what strangers can make the service store: the library keeps each request that begins a sign-in or a sign-out. */
export type StartLimits = {
  /** Counts a request; the seconds to wait if there were too many. */
  begin(network: string): number;
  /**
   * As one from a known device: a user has so many by all devices together, and a realm. Beyond these, as any other: whoever
   * keeps cookies of users that have changed cannot keep out others.
   */
  beginKnown(network: string, realm: string, user: string): number;
};

const maxBytes = 4_096;
const maxPerSender = 300;
/** Of known devices: whoever administers a realm can have any number of users. */
const maxPerRealm = 3_000;
/** Of all senders; those that have begun few may begin beyond it, until all together have reached the second bound. */
const maxPerProcess = 1_500;
const fewPerSender = 10;
const maxWithFew = 6_000;

export function createStartLimits(): StartLimits {
  const networks = createAttemptLimiter(maxPerSender);
  const users = createAttemptLimiter(maxPerSender);
  const realms = createAttemptLimiter(maxPerRealm);
  const few = createAttemptLimiter(fewPerSender);
  const all = createAttemptLimiter(maxPerProcess);
  const allWithFew = createAttemptLimiter(maxWithFew);
  const begin = (network: string): number => {
    const site = [siteOf(network)];
    const waitSeconds = Math.max(
      networks.waitSeconds([network]),
      few.waitSeconds(site) > 0 ? all.waitSeconds([]) : 0,
      allWithFew.waitSeconds([]),
    );
    if (waitSeconds > 0) return waitSeconds;
    networks.count([network]);
    few.count(site);
    all.count([]);
    allWithFew.count([]);
    return 0;
  };
  return {
    begin,
    beginKnown(network, realm, user) {
      if (users.waitSeconds([user]) > 0 || realms.waitSeconds([realm]) > 0) return begin(network);
      users.count([user]);
      realms.count([realm]);
      return 0;
    },
  };
}

/** Whether the request was refused, and answered. */
export function refusesStart(
  limits: StartLimits,
  request: RealmRequest,
  reply: FastifyReply,
  key: SignInKey,
): boolean {
  const size = sizeProblem(request);
  if (size) {
    refuse(reply, size.status, size.description);
    return true;
  }
  const user = userOfDevice(key, request);
  const network = clientNetwork(request.ip);
  const waitSeconds =
    user === undefined
      ? limits.begin(network)
      : limits.beginKnown(network, request.params.realm, user);
  if (waitSeconds === 0) return false;
  reply.header('retry-after', waitSeconds);
  refuse(reply, 429, `Too many requests. Try again in ${waitSeconds} seconds.`);
  return true;
}

/** What is wrong with the size of a request, which is to be read or stored. */
export function sizeProblem({
  raw,
  headers,
}: RealmRequest): { status: number; description: string } | undefined {
  if ((raw.url ?? '').length > maxBytes)
    return { status: 414, description: `The address is longer than ${maxBytes} characters.` };
  if ('transfer-encoding' in headers)
    return { status: 411, description: 'The form was sent without its length.' };
  if (Number(headers['content-length'] ?? 0) > maxBytes)
    return { status: 413, description: `The form is longer than ${maxBytes} bytes.` };
  return undefined;
}

function refuse(reply: FastifyReply, status: number, description: string): void {
  reply
    .code(status)
    .header('content-security-policy', pagePolicy)
    .header('cache-control', 'no-store')
    .type('text/html')
    .send(errorPage('invalid_request', description));
}
