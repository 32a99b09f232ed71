import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import type { BlockList } from 'node:net';
import { isInNetworks } from '../http/networks.ts';
import {
  isReachable,
  literalAddress,
  reachableLookup,
  UnreachableAddress,
} from './reachable-address.ts';

/** What came of one try: the status of the answer, or why there was none. */
export type Outcome = { status: number; error?: never } | { status?: never; error: string };

export type WebhookMessage = {
  url: string;
  headers: Record<string, string>;
  body: string;
};

export type SendOptions = {
  /** Networks that are not public and may be reached all the same, also without encryption. */
  networks: BlockList;
  timeoutMs: number;
  signal?: AbortSignal;
};

/** Posts a message. Redirects are not followed: they are answers like any other. */
export async function sendWebhook(
  { url, headers, body }: WebhookMessage,
  { networks, timeoutMs, signal }: SendOptions,
): Promise<Outcome> {
  const target = new URL(url);
  const isEncrypted = target.protocol === 'https:';
  const mayReach = (address: string) =>
    isEncrypted ? isReachable(address, networks) : isInNetworks(networks, address);
  const literal = literalAddress(target);
  if (literal !== undefined && !mayReach(literal))
    return { error: new UnreachableAddress(literal).message };
  const deadline = AbortSignal.timeout(timeoutMs);
  const { promise, resolve } = Promise.withResolvers<Outcome>();
  const send = isEncrypted ? requestHttps : requestHttp;
  const request = send(target, {
    method: 'POST',
    headers: { ...headers, 'content-length': Buffer.byteLength(body) },
    lookup: reachableLookup(mayReach),
    agent: false,
    signal: signal ? AbortSignal.any([deadline, signal]) : deadline,
  });
  request.on('response', (response) => {
    resolve({ status: response.statusCode ?? 0 });
    // What it says is of no use, and may be endless.
    response.destroy();
  });
  request.on('upgrade', (response, socket) => {
    resolve({ status: response.statusCode ?? 0 });
    socket.destroy();
  });
  request.on('error', (error) => {
    resolve({
      error: deadline.aborted ? `no answer within ${timeoutMs / 1000} s` : reasonOf(error),
    });
  });
  // Node reports no error for some answers that it does not understand, and a try must have an end.
  request.on('close', () => resolve({ error: 'the connection was closed' }));
  request.end(body);
  return promise;
}

function reasonOf(error: NodeJS.ErrnoException): string {
  if (error instanceof UnreachableAddress) return error.message;
  return error.code ?? error.message;
}
