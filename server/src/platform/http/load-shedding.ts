import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { onceClosed } from './once-closed.ts';

export type LoadLimits = {
  /** So many requests in progress are never too many. */
  alwaysAdmitted: number;
  /** While even the fastest request takes longer than this, there is a queue that does not drain. */
  targetMs: number;
  /** What such a queue may hold: the requests that are answered in this time. */
  budgetMs: number;
  /** How long it is looked at before that is said. */
  windowMs: number;
};

const defaultLimits: LoadLimits = {
  alwaysAdmitted: 200,
  targetMs: 500,
  budgetMs: 1_000,
  windowMs: 500,
};

/**
 * Decides which requests are refused when more come than can be answered: as in CoDel, by the time that requests take
 * rather than by their number (docs/decisions/0064-overload.md).
 */
export class LoadShedder {
  readonly #limits: LoadLimits;
  readonly #now: () => number;
  readonly #inProgress = new Map<string, number>();
  #total = 0;
  #windowStart: number;
  #answered = 0;
  #fastestMs = Number.POSITIVE_INFINITY;
  /** How many may be in progress; unlimited while requests are answered in time. */
  #limit = Number.POSITIVE_INFINITY;

  constructor(limits: LoadLimits = defaultLimits, now = () => performance.now()) {
    this.#limits = limits;
    this.#now = now;
    this.#windowStart = now();
  }

  /** Whose requests are too many for one more of the tenant; whoever has less than an equal part is admitted for as long as that can be. */
  overloadedBy(tenant: string): 'tenant' | 'all' | undefined {
    this.#review();
    if (this.#total < this.#limit) return undefined;
    const own = this.#inProgress.get(tenant) ?? 0;
    const tenants = this.#inProgress.size + (own === 0 ? 1 : 0);
    if (own >= Math.max(1, this.#limit / tenants)) return 'tenant';
    return this.#total >= 2 * this.#limit ? 'all' : undefined;
  }

  /** Returns what to call when the answer is there; further calls do nothing. */
  begin(tenant: string): () => void {
    const startedAt = this.#now();
    this.#inProgress.set(tenant, (this.#inProgress.get(tenant) ?? 0) + 1);
    this.#total += 1;
    let isOver = false;
    return () => {
      if (!isOver) this.#finish(tenant, this.#now() - startedAt);
      isOver = true;
    };
  }

  #finish(tenant: string, tookMs: number): void {
    const left = (this.#inProgress.get(tenant) ?? 1) - 1;
    if (left === 0) this.#inProgress.delete(tenant);
    else this.#inProgress.set(tenant, left);
    this.#total -= 1;
    this.#answered += 1;
    this.#fastestMs = Math.min(this.#fastestMs, tookMs);
  }

  #review(): void {
    const now = this.#now();
    const elapsedMs = now - this.#windowStart;
    const { windowMs, targetMs, budgetMs, alwaysAdmitted } = this.#limits;
    if (elapsedMs < windowMs) return;
    const isShedding = this.#limit < Number.POSITIVE_INFINITY;
    const isLate = this.#fastestMs > targetMs && (isShedding || this.#total >= alwaysAdmitted);
    const perBudget = (this.#answered / elapsedMs) * budgetMs;
    this.#limit = isLate ? Math.max(alwaysAdmitted, perBudget) : Number.POSITIVE_INFINITY;
    this.#windowStart = now;
    this.#answered = 0;
    this.#fastestMs = Number.POSITIVE_INFINITY;
  }
}

type Refuse = (
  request: IncomingMessage,
  response: ServerResponse,
  overloadedBy: 'tenant' | 'all',
) => void;

/**
 * Refuses before Fastify has any work: what is refused must cost far less than what is answered. Work begins when the body
 * has come and ends when the answer is there, so that slow clients are none.
 */
export function shedLoad(app: FastifyInstance, refuse: Refuse, shedder = new LoadShedder()): void {
  const handlers = app.server.listeners('request') as RequestListener[];
  app.server.removeAllListeners('request');
  app.server.on('request', (request, response) => {
    const tenant = tenantOf(request.url);
    const overloadedBy = tenant === undefined ? undefined : shedder.overloadedBy(tenant);
    if (overloadedBy) return refuse(request, response, overloadedBy);
    for (const handle of handlers) handle.call(app.server, request, response);
  });
  app.decorateRequest('endWork', undefined);
  app.addHook('preValidation', (request, reply, done) => {
    const { isUpload, isStream } = request.routeOptions.config;
    const tenant = isUpload || isStream ? undefined : tenantOf(request.raw.url);
    if (tenant !== undefined) {
      request.endWork = shedder.begin(tenant);
      onceClosed(reply.raw, request.endWork);
    }
    done();
  });
  app.addHook('onSend', (request, _reply, _payload, done) => {
    request.endWork?.();
    done();
  });
}

declare module 'fastify' {
  interface FastifyRequest {
    endWork: (() => void) | undefined;
  }
}

/** Health, metrics, tokens and pages are always served. */
function tenantOf(url = ''): string | undefined {
  if (!url.startsWith('/api/')) return undefined;
  const [, , , , countryCode, code] = url.split('/', 6);
  return `${countryCode}-${code}`;
}
