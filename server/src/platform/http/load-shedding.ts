import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { LRUCache } from 'lru-cache';
import { atMost } from '../cache-bound.ts';
import { exceededBy } from '../equal-parts.ts';
import { onceHandled } from './once-handled.ts';
import { decodedPath } from './request-target.ts';

export type LoadLimits = {
  /** So many requests in progress are never too many. */
  alwaysAdmitted: number;
  /** What may be in progress beyond these: the requests that are answered in this time. */
  budgetMs: number;
  /** How long the rate of answers is measured. */
  windowMs: number;
};

const defaultLimits: LoadLimits = { alwaysAdmitted: 200, budgetMs: 1_000, windowMs: 250 };

/** A request in progress, which is over with the first call of either. */
class Work {
  readonly tenant: string;
  readonly #onOver: (isAnswered: boolean) => void;
  isOver = false;

  constructor(tenant: string, onOver: (isAnswered: boolean) => void) {
    this.tenant = tenant;
    this.#onOver = onOver;
  }

  /** The answer is there, which counts for the rate. */
  end(): void {
    this.#leave(true);
  }

  cancel(): void {
    this.#leave(false);
  }

  #leave(isAnswered: boolean): void {
    if (!this.isOver) this.#onOver(isAnswered);
    this.isOver = true;
  }
}

/**
 * Decides which requests are refused when more come than can be answered: by the time that they would wait, which is their
 * number over the rate of answers (docs/decisions/0064-overload.md).
 */
export class LoadShedder {
  readonly #limits: LoadLimits;
  readonly #now: () => number;
  readonly #inProgress = new Map<string, number>();
  #total = 0;
  #windowStart: number;
  #answered = 0;
  #refused = 0;
  /** How many may be in progress; unlimited while there are few. */
  #limit = Number.POSITIVE_INFINITY;

  constructor(limits: LoadLimits = defaultLimits, now = () => performance.now()) {
    this.#limits = limits;
    this.#now = now;
    this.#windowStart = now();
  }

  /** Whose requests are too many for one more of the tenant. */
  overloadedBy(tenant: string): 'tenant' | 'all' | undefined {
    this.#review();
    const by = this.#total < this.#limit ? undefined : this.#exceededBy(tenant);
    if (by) this.#refused += 1;
    return by;
  }

  #exceededBy(tenant: string): 'tenant' | 'all' | undefined {
    const own = this.#inProgress.get(tenant) ?? 0;
    return exceededBy(own, {
      others: this.#inProgress.size - (own === 0 ? 0 : 1),
      limit: this.#limit,
    });
  }

  begin(tenant: string): Work {
    this.#inProgress.set(tenant, (this.#inProgress.get(tenant) ?? 0) + 1);
    this.#total += 1;
    return new Work(tenant, (isAnswered) => {
      const left = (this.#inProgress.get(tenant) ?? 1) - 1;
      if (left === 0) this.#inProgress.delete(tenant);
      else this.#inProgress.set(tenant, left);
      this.#total -= 1;
      if (isAnswered) this.#answered += 1;
    });
  }

  #review(): void {
    const now = this.#now();
    const elapsedMs = now - this.#windowStart;
    const { windowMs, budgetMs, alwaysAdmitted } = this.#limits;
    if (elapsedMs < windowMs) return;
    const isFull = this.#refused > 0 || this.#total >= alwaysAdmitted;
    this.#limit = isFull
      ? Math.max(alwaysAdmitted, (this.#answered / elapsedMs) * budgetMs)
      : Number.POSITIVE_INFINITY;
    this.#windowStart = now;
    this.#answered = 0;
    this.#refused = 0;
  }
}

type Refuse = (
  request: IncomingMessage,
  response: ServerResponse,
  overloadedBy: 'tenant' | 'all',
) => void;

/** Anybody can make up names: all that nobody has authenticated for are one tenant. */
const strangers = 'strangers';
const maxKnownTenants = 10_000;

const begun = new WeakMap<IncomingMessage, Work>();

/** For a request that waits on purpose. */
export function cancelWork(request: IncomingMessage): void {
  begun.get(request)?.cancel();
}

const postponed = new WeakSet<IncomingMessage>();

/**
 * For a request whose caller is not known at once: until then it is nobody's work, as anybody can name a provider, and it
 * is decided on again afterwards. Strangers have their one part from the start.
 */
export function postponeWork(request: IncomingMessage): void {
  const work = begun.get(request);
  if (!work || work.isOver || work.tenant === strangers) return;
  work.cancel();
  postponed.add(request);
}

/**
 * Refuses before Fastify has any work: what is refused must cost far less than what is answered. Work begins when the body
 * has come and ends when the answer is there, so that slow clients are none, and those who hang up leave theirs behind.
 */
export function shedLoad(app: FastifyInstance, refuse: Refuse, shedder = new LoadShedder()): void {
  const known = new LRUCache<string, true>(atMost(maxKnownTenants));
  const begin = (request: IncomingMessage, response: ServerResponse, tenant: string) => {
    const work = shedder.begin(tenant);
    begun.set(request, work);
    onceHandled(response, () => work.cancel());
    return work;
  };
  const admit = (request: IncomingMessage, response: ServerResponse, tenant: string) => {
    const overloadedBy = shedder.overloadedBy(tenant);
    if (overloadedBy) refuse(request, response, overloadedBy);
    // One that waits for others of its connection, which may be read slowly, is no work before its turn.
    else if (response.socket) cancelWithoutBody(request, begin(request, response, tenant));
    return overloadedBy === undefined;
  };
  const handlers = app.server.listeners('request') as RequestListener[];
  app.server.removeAllListeners('request');
  app.server.on('request', (request, response) => {
    const named = tenantOf(request.url);
    if (named !== undefined) {
      const tenant = known.has(named) ? named : strangers;
      if (!admit(request, response, tenant)) return;
    }
    for (const handle of handlers) handle.call(app.server, request, response);
  });
  app.decorateRequest('work', undefined);
  app.addHook('preParsing', ({ raw }, reply, _payload, done) => {
    const tenant = postponed.has(raw) ? tenantOf(raw.url) : undefined;
    if (tenant === undefined || admit(raw, reply.raw, tenant)) done();
    else reply.hijack();
  });
  app.addHook('preValidation', (request, reply, done) => {
    const { isUpload, isStream } = request.routeOptions.config;
    const tenant = tenantOf(request.raw.url);
    const work = begun.get(request.raw);
    if (tenant !== undefined) known.set(tenant, true);
    const isCounted = work?.isOver === false && work.tenant === tenant;
    if (!isCounted || isUpload || isStream) work?.cancel();
    if (tenant !== undefined && !isUpload && !isStream)
      request.work = isCounted ? work : begin(request.raw, reply.raw, tenant);
    done();
  });
  app.addHook('onSend', (request, _reply, _payload, done) => {
    request.work?.end();
    // Of a caller who was refused: the time that the refusal takes to be read is none of ours.
    cancelWork(request.raw);
    done();
  });
}

/** By the next turn, a body that came with the headers has been parsed; one that did not is not waited for. */
function cancelWithoutBody(request: IncomingMessage, work: Work): void {
  setImmediate(() => {
    if (!request.complete) work.cancel();
  });
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Set once the caller is known: the time that others' refusals take says nothing. */
    work: Work | undefined;
  }
}

/** By the path as it is routed, however it is written. Health, metrics, tokens and pages are always served. */
function tenantOf(url = ''): string | undefined {
  const path = decodedPath(url);
  if (!path?.startsWith('/api/')) return undefined;
  const [, , , , countryCode, code] = path.split('/', 6);
  return `${countryCode}-${code}`;
}
