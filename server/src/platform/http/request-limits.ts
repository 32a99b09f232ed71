import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyReply, FastifyRequest, HookHandlerDoneFunction } from 'fastify';
import { LRUCache } from 'lru-cache';
import { atMost } from '../cache-bound.ts';
import { refillTokens, type TokenBucket } from '../token-bucket.ts';
import { gzipSizeOf } from './gzip-bodies.ts';
import { cancelWork } from './load-shedding.ts';
import { onceClosed } from './once-closed.ts';
import { onceHandled } from './once-handled.ts';
import { clientKey, type Principal } from './principal.ts';
import { type Problem, tooManyRequests } from './problem.ts';

/** Requests a second, and requests in flight at a time; 0 for no limit. */
export type RequestLimits = {
  clientRate: number;
  clientConcurrency: number;
  providerRate: number;
  providerConcurrency: number;
  /** The time in milliseconds; by default since the start of the process. */
  now?: () => number;
};

export const noLimits: RequestLimits = {
  clientRate: 0,
  clientConcurrency: 0,
  providerRate: 0,
  providerConcurrency: 0,
};

/** What a client, or a provider, has used of its limits. */
type Usage = TokenBucket & { inFlight: number; nextRefusalAt: number };

const maxUsages = 20_000;
const windowSeconds = 1;
// A body is as much work as so many requests; not that of an upload that is only stored.
const bytesOfRequest = 4_096;
const refusalIntervalMs = 10;
const maxRefusalDelayMs = 2_000;
const maxDelayedRefusals = 1_000;

/**
 * A hook that refuses what exceeds the limits with 429, and tells the others what remains
 * (docs/decisions/0027-fair-use.md); undefined without limits.
 */
export function limitRequests(settings: RequestLimits) {
  const limits = [
    new Limit('client', settings.clientRate, settings.clientConcurrency, clientKey),
    // One client cannot lock out the others: what it sends before its size is known delays them by a window at most.
    new Limit('provider', settings.providerRate, settings.providerConcurrency, providerOf, {
      maxDebt: settings.providerRate * windowSeconds,
    }),
  ].filter(({ policies }) => policies.length > 0);
  if (limits.length === 0) return undefined;
  const policy = limits.flatMap(({ policies }) => policies).join(', ');
  const clock = settings.now ?? (() => performance.now());
  let delayed = 0;

  /** One after the other, so that a flood of refusals leaves time for others. */
  const delayRefusal = (usage: Usage, now: number, refuse: () => void): void => {
    if (delayed >= maxDelayedRefusals) {
      refuse();
      return;
    }
    const delayMs = Math.max(0, usage.nextRefusalAt - now);
    usage.nextRefusalAt = now + Math.min(delayMs + refusalIntervalMs, maxRefusalDelayMs);
    delayed += 1;
    setTimeout(() => {
      delayed -= 1;
      refuse();
    }, delayMs);
  };

  const refuse = (
    { raw }: FastifyRequest,
    usage: Usage,
    { detail, remaining }: Exceeded,
    answer: (problem: Problem) => void,
  ): void => {
    cancelWork(raw);
    delayRefusal(usage, clock(), () => answer(tooManyRequests(detail, windowSeconds, remaining)));
  };

  return (request: FastifyRequest, reply: FastifyReply, done: HookHandlerDoneFunction): void => {
    const { principal } = request;
    if (!principal) {
      done();
      return;
    }
    const now = clock();
    const usages = limits.map((limit) => limit.usageOf(principal, now));
    reply.header('ratelimit-policy', policy);
    for (const [index, limit] of limits.entries()) {
      const usage = usages[index] as Usage;
      const exceeded = limit.exceededBy(usage);
      if (!exceeded) continue;
      refuse(request, usage, exceeded, done);
      return;
    }
    const charge = (requests: number) => {
      for (const [index, limit] of limits.entries()) limit.charge(usages[index] as Usage, requests);
    };
    const tellRemaining = () => {
      const remaining = limits.flatMap((limit, index) => limit.remaining(usages[index] as Usage));
      if (remaining.length > 0) reply.header('ratelimit', remaining.join(', '));
    };
    const charged = requestsOf(request);
    charge(charged);
    tellRemaining();
    const beyond = (bytes: number) => Math.max(0, bytes / bytesOfRequest - charged);
    const uncharged = () => beyond(receivedBytes(request));
    let hasBody = false;
    if (isOfUnknownSize(request))
      bodyCharges.set(request.raw, () => {
        hasBody = true;
        const rest = uncharged();
        for (const [index, limit] of limits.entries()) {
          const usage = usages[index] as Usage;
          limit.refill(usage, clock());
          // Like one of known size, it is refused for what came before it, and not for itself.
          const exceeded = limit.rateExceededBy(usage.tokens + charged);
          if (!exceeded) continue;
          // What was sent has been expanded all the same.
          charge(beyond(gzipSizeOf(request.raw)?.sent ?? 0));
          refuse(request, usage, exceeded, (problem) => reply.send(problem));
          return false;
        }
        charge(rest);
        tellRemaining();
        return true;
      });
    // A stream is open for hours: streams have a bound of their own.
    const inFlight = request.routeOptions.config.isStream ? 0 : 1;
    for (const usage of usages) usage.inFlight += inFlight;
    onceClosed(reply.raw, () => {
      if (!hasBody) charge(uncharged());
    });
    onceHandled(reply.raw, () => {
      for (const usage of usages) usage.inFlight -= inFlight;
    });
    done();
  };
}

const bodyCharges = new WeakMap<IncomingMessage, () => boolean>();

/**
 * To be called when a body has come, before it is parsed: one whose size was not known is charged for. False where its caller
 * is beyond the limits by now, and is answered with 429.
 */
export function chargeBody({ raw }: FastifyRequest): boolean {
  return bodyCharges.get(raw)?.() ?? true;
}

type Exceeded = { detail: string; remaining: { ratelimit: string } };

class Limit {
  readonly #name: string;
  readonly #rate: number;
  readonly #concurrency: number;
  readonly #maxDebt: number;
  readonly #keyOf: (principal: Principal) => string;
  readonly #usages = new LRUCache<string, Usage>(atMost(maxUsages));
  /** In the syntax of draft-ietf-httpapi-ratelimit-headers. */
  readonly policies: string[] = [];

  constructor(
    name: string,
    rate: number,
    concurrency: number,
    keyOf: (principal: Principal) => string,
    { maxDebt = Number.POSITIVE_INFINITY } = {},
  ) {
    this.#maxDebt = maxDebt;
    this.#name = name;
    this.#rate = rate;
    this.#concurrency = concurrency;
    this.#keyOf = keyOf;
    if (rate > 0) this.policies.push(`"${name}";q=${rate};w=${windowSeconds}`);
    if (concurrency > 0)
      this.policies.push(`"${name}-concurrency";q=${concurrency};qu="concurrent-requests"`);
  }

  /** Its bucket holds the requests of a window, and is filled all the time. */
  usageOf(principal: Principal, now: number): Usage {
    const key = this.#keyOf(principal);
    const known = this.#usages.get(key);
    if (known) {
      this.refill(known, now);
      return known;
    }
    const tokens = this.#rate * windowSeconds;
    const usage = { inFlight: 0, tokens, refilledAt: now, nextRefusalAt: 0 };
    this.#usages.set(key, usage);
    return usage;
  }

  refill(usage: Usage, now: number): void {
    refillTokens(usage, { perSecond: this.#rate, capacity: this.#rate * windowSeconds }, now);
  }

  charge(usage: Usage, requests: number): void {
    usage.tokens = Math.max(usage.tokens - requests, -this.#maxDebt);
  }

  rateExceededBy(tokens: number): Exceeded | undefined {
    if (this.#rate === 0 || tokens >= 1) return undefined;
    return {
      detail: `The ${this.#name} may send ${this.#rate} requests a second.`,
      remaining: { ratelimit: `"${this.#name}";r=0;t=${windowSeconds}` },
    };
  }

  exceededBy({ tokens, inFlight }: Usage): Exceeded | undefined {
    const exceeded = this.rateExceededBy(tokens);
    if (exceeded) return exceeded;
    if (this.#concurrency > 0 && inFlight >= this.#concurrency) {
      return {
        detail: `The ${this.#name} may have ${this.#concurrency} requests in flight at a time.`,
        remaining: { ratelimit: `"${this.#name}-concurrency";r=0` },
      };
    }
    return undefined;
  }

  remaining({ tokens }: Usage): string[] {
    if (this.#rate === 0) return [];
    return [`"${this.#name}";r=${Math.max(0, Math.floor(tokens))};t=${windowSeconds}`];
  }
}

/** How many requests it counts for, as far as its headers tell. */
function requestsOf(request: FastifyRequest): number {
  const { headers, routeOptions } = request;
  const bytes = routeOptions.config.isStored ? 0 : Number(headers['content-length'] ?? 0);
  return Math.max(1, Math.ceil(readableBytes(request, bytes) / bytesOfRequest));
}

/** What is sent beyond the limit of a body is not parsed; counted, it would lock out the whole provider for years. */
function readableBytes({ routeOptions }: FastifyRequest, bytes: number): number {
  return Math.min(bytes, routeOptions.bodyLimit);
}

const countedBytes = new WeakMap<Socket, number>();

function isOfUnknownSize({ headers, routeOptions }: FastifyRequest): boolean {
  const isTold = headers['transfer-encoding'] === undefined && !headers['content-encoding'];
  return !isTold && !routeOptions.config.isStored;
}

/** The size of a request that does not tell it in advance, or of what its body was expanded to; of others, 0. */
function receivedBytes(request: FastifyRequest): number {
  const { raw, routeOptions } = request;
  const { socket, headers } = raw;
  const before = countedBytes.get(socket) ?? 0;
  countedBytes.set(socket, socket.bytesRead);
  const gzip = gzipSizeOf(raw);
  if (gzip) return readableBytes(request, Math.max(gzip.sent, gzip.expanded));
  const isUnknown = headers['transfer-encoding'] !== undefined && !routeOptions.config.isStored;
  return isUnknown ? readableBytes(request, socket.bytesRead - before) : 0;
}

function providerOf({ provider }: Principal): string {
  return provider;
}
