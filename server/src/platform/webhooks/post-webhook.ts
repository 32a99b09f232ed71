import { constants } from 'node:crypto';
import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import type { BlockList } from 'node:net';
import { DEFAULT_CIPHERS } from 'node:tls';
import { isInNetworks } from '../http/networks.ts';
import type { KeptConnection } from './kept-connection.ts';
import {
  isReachable,
  literalAddress,
  type RunLookup,
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

export type PostOptions = {
  /** Networks that are not public and may be reached all the same, also without encryption. */
  networks: BlockList;
  timeoutMs: number;
  connection: KeptConnection;
  /** Is called for each new connection. */
  onConnect?: () => void;
  runLookup?: RunLookup;
};

// The receiver would choose the size of the numbers to calculate with.
const ciphers = `${DEFAULT_CIPHERS}:!kDHE`;
/** Of the interim answers (1xx) that may come before the one that counts. */
const maxInterim = 10;
/** Of a connection that the other side has closed. */
const closedCodes = new Set(['ECONNRESET', 'EPIPE']);

/** Posts a message. Redirects are not followed: they are answers like any other. */
export async function postWebhook(message: WebhookMessage, options: PostOptions): Promise<Outcome> {
  const target = new URL(message.url);
  const isEncrypted = target.protocol === 'https:';
  const mayReach = (address: string) =>
    isEncrypted ? isReachable(address, options.networks) : isInNetworks(options.networks, address);
  const literal = literalAddress(target);
  if (literal !== undefined && !mayReach(literal))
    return { error: new UnreachableAddress(literal).message };
  if (literal === undefined && !mayResolve(target, options.networks))
    return { error: new UnreachableAddress(target.hostname).message };
  const deadline = AbortSignal.timeout(options.timeoutMs);
  const exchange = () => exchangeOnce(target, message, { ...options, mayReach, deadline });
  const outcome = await exchange();
  // There is none that is kept any more, so this one is new.
  return isStale(outcome) ? exchange() : outcome;
}

/** Names without a dot are of the operator's network, and resolved by the system, which does few at a time. */
function mayResolve({ hostname }: URL, networks: BlockList): boolean {
  return hostname.includes('.') || networks.rules.length > 0;
}

/** The receiver had closed the connection that was kept, before it answered anything. */
type Stale = Outcome & { isStale: true };

function isStale(outcome: Outcome | Stale): outcome is Stale {
  return 'isStale' in outcome;
}

type ExchangeOptions = PostOptions & {
  mayReach: (address: string) => boolean;
  deadline: AbortSignal;
};

function exchangeOnce(
  target: URL,
  { headers, body }: WebhookMessage,
  { mayReach, deadline, timeoutMs, connection, onConnect, runLookup }: ExchangeOptions,
): Promise<Outcome | Stale> {
  connection.endAnswer();
  const { promise, resolve } = Promise.withResolvers<Outcome | Stale>();
  const send = target.protocol === 'https:' ? requestHttps : requestHttp;
  const request = send(target, {
    method: 'POST',
    headers: { ...headers, 'content-length': Buffer.byteLength(body) },
    lookup: reachableLookup(mayReach, { signal: deadline, runLookup }),
    agent: connection.agent,
    ciphers,
    // The receiver could have the connection encrypted anew without end.
    secureOptions: constants.SSL_OP_NO_RENEGOTIATION,
    signal: deadline,
  });
  request.on('socket', () => {
    if (!request.reusedSocket) onConnect?.();
  });
  let interim = 0;
  request.on('information', () => {
    interim += 1;
    if (interim > maxInterim) request.destroy(new Error('too many interim answers'));
  });
  request.on('response', (response) => {
    resolve({ status: response.statusCode ?? 0 });
    // What it says is of no use, and may be endless. One that comes before the message was sent ends the connection, too.
    if (request.writableFinished) connection.readRest(response);
    else response.destroy();
  });
  request.on('upgrade', (response, socket) => {
    resolve({ status: response.statusCode ?? 0 });
    socket.destroy();
  });
  request.on('error', (error: NodeJS.ErrnoException) => {
    const reason = deadline.aborted ? `no answer within ${timeoutMs / 1000} s` : reasonOf(error);
    const wasClosed = request.reusedSocket && interim === 0 && closedCodes.has(error.code ?? '');
    resolve(wasClosed ? { error: reason, isStale: true } : { error: reason });
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
