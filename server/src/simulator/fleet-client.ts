import { setTimeout as sleep } from 'node:timers/promises';
import type { Vehicle } from '../fleet/vehicles/public.ts';
import { UserError } from '../platform/user-error.ts';
import type { Message } from './message.ts';

/** The number of messages by result. */
export type Counts = { accepted: number; stale: number; duplicate: number; rejected: number };

export type FleetClient = {
  /** Vehicles in service that can be driven: those that drive, which should arrive, and then the first by id. */
  vehicles(count: number): Promise<Vehicle[]>;
  send(messages: readonly Message[]): Promise<Counts>;
};

export type Access = {
  /** The address of the service, without a path. */
  url: string;
  countryCode: string;
  code: string;
  clientId: string;
  clientSecret: string;
};

const pageSize = 500;
const requestTimeoutMs = 60_000;
const retryDelayMs = 1_000;

/**
 * A client of the public interface. It retries while the service is unavailable, until the signal is aborted; any
 * other error is final.
 */
export function fleetClient(access: Access, signal: AbortSignal): FleetClient {
  const { url, countryCode, code } = access;
  const base = `${url}/api/fleets/v1/${countryCode}/${code}`;
  let token: { text: string; until: number } | undefined;

  async function fetchWithRetry(target: string, init: RequestInit): Promise<Response> {
    for (;;) {
      signal.throwIfAborted();
      const timeout = AbortSignal.timeout(requestTimeoutMs);
      try {
        const answer = await fetch(target, { ...init, signal: AbortSignal.any([signal, timeout]) });
        if (answer.status !== 503) return answer;
        await answer.body?.cancel();
      } catch {
        // The connection was lost: retried below.
      }
      signal.throwIfAborted();
      await sleep(retryDelayMs, undefined, { signal }).catch(() => {});
    }
  }

  async function bearer(): Promise<string> {
    if (token && Date.now() < token.until) return token.text;
    const answer = await fetchWithRetry(
      `${url}/realms/${countryCode}-${code}/protocol/openid-connect/token`,
      {
        method: 'POST',
        body: new URLSearchParams({
          grant_type: 'client_credentials',
          client_id: access.clientId,
          client_secret: access.clientSecret,
        }),
      },
    );
    if (!answer.ok) throw await errorOf('the token request', answer);
    const { access_token: text, expires_in: seconds } = (await answer.json()) as {
      access_token: string;
      expires_in: number;
    };
    // Renewed well before it expires.
    token = { text, until: Date.now() + seconds * 800 };
    return text;
  }

  async function post<Answer>(path: string, body: unknown): Promise<Answer> {
    const sendOnce = async () =>
      fetchWithRetry(`${base}${path}`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${await bearer()}`,
          'content-type': 'application/json',
        },
        body: JSON.stringify(body),
      });
    let answer = await sendOnce();
    if (answer.status === 401) {
      // The keys of the realm may have been rotated.
      token = undefined;
      await answer.body?.cancel();
      answer = await sendOnce();
    }
    if (!answer.ok) throw await errorOf(`POST ${path}`, answer);
    return (await answer.json()) as Answer;
  }

  /** The vehicles that an open incident keeps off the road. */
  async function outOfAction(): Promise<Set<string>> {
    const ids = new Set<string>();
    for (let pageNumber = 0; ; pageNumber += 1) {
      const { items } = await post<{ items: { vehicleId: string }[] }>('/incidents', {
        filters: [
          { field: 'vehicleOperable', value: false },
          { field: 'isResolved', value: false },
        ],
        pagination: { pageNumber, pageSize },
      });
      for (const { vehicleId } of items) ids.add(vehicleId);
      if (items.length < pageSize) return ids;
    }
  }

  return {
    async vehicles(count) {
      const excluded = await outOfAction();
      const found: Vehicle[] = [];
      for (let pageNumber = 0; found.length < count; pageNumber += 1) {
        const { items } = await post<{ items: Vehicle[] }>('/vehicles', {
          filters: [{ field: 'asset.active', value: true }],
          sorting: [{ field: 'status.engineActive', direction: 'desc' }],
          pagination: { pageNumber, pageSize },
        });
        found.push(...items.filter(({ asset }) => !excluded.has(asset.id)));
        if (items.length < pageSize) break;
      }
      return found.slice(0, count);
    },
    async send(messages) {
      const { counts } = await post<{ counts: Counts }>('/databox/messages', messages);
      return counts;
    },
  };
}

async function errorOf(what: string, answer: Response): Promise<UserError> {
  const body = (await answer.json().catch(() => ({}))) as Record<string, unknown>;
  const detail = body.detail ?? body.error_description ?? body.title ?? '';
  return new UserError(`The service refused ${what} with ${answer.status}: ${detail}`);
}

/** Fails early when no service answers. */
export async function requireService(url: string): Promise<void> {
  try {
    const answer = await fetch(`${url}/health/live`, { signal: AbortSignal.timeout(10_000) });
    if (answer.ok) return;
  } catch {
    // Reported below.
  }
  throw new UserError(
    `No service answers at ${url}: start one with "motorpool serve", or say where it is with --url.`,
  );
}
