import { randomUUID } from 'node:crypto';
import Fastify, {
  type FastifyBaseLogger,
  type FastifyError,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from 'fastify';
import { Overloaded } from '../db/admission-queue.ts';
import { ReadBudgetExceeded } from '../db/read-budget.ts';
import { StatementTimeout } from '../db/statement-timeout.ts';
import { isUnavailable } from '../db/unavailable.ts';
import { limitBodyTime } from './body-timeout.ts';
import { maxHeaderBytes } from './header-limit.ts';
import { requestMetrics } from './metrics.ts';
import {
  answerTooLarge,
  bodyTooLarge,
  noSuchPath,
  Problem,
  plainProblem,
  queryTooExpensive,
  tooManyRequests,
  unavailable,
  unsupportedMediaType,
} from './problem.ts';
import { type TrustProxy, trustProxyOption } from './trust-proxy.ts';

export type ServerOptions = {
  logger: FastifyBaseLogger;
  trustProxy: TrustProxy;
  /** Whether the public address is https, so that HSTS is sent. */
  secure: boolean;
  timeouts?: Partial<Timeouts>;
};

type Timeouts = {
  headersMs: number;
  /** For a body, except of an upload. */
  bodyMs: number;
  /** For any request from its first byte to its last, uploads included. */
  requestMs: number;
  /** Between two requests of a connection. */
  idleMs: number;
  /** Within a request, without data in either direction. */
  inactivityMs: number;
  /** For the rest of a body after the response. */
  lingerMs: number;
  checkMs: number;
};

const defaultTimeouts: Timeouts = {
  headersMs: 15_000,
  bodyMs: 60_000,
  requestMs: 1_800_000,
  idleMs: 72_000,
  inactivityMs: 120_000,
  lingerMs: 10_000,
  checkMs: 5_000,
};

const malformedLingerMs = 1_000;

const bodyLimitBytes = 1024 * 1024;

/** Fastify with request ids, limits, logs, headers and error handling, without any route. */
export function createServer(options: ServerOptions): FastifyInstance {
  const timeouts = { ...defaultTimeouts, ...options.timeouts };
  const app = Fastify({
    loggerInstance: options.logger,
    // The onResponse hook logs one line per request.
    logController: new LogController({ disableRequestLogging: true }),
    trustProxy: trustProxyOption(options.trustProxy),
    bodyLimit: bodyLimitBytes,
    // Longer than any URL that Node accepts, so that the operations validate their parameters.
    routerOptions: { maxParamLength: 20_000 },
    requestTimeout: timeouts.requestMs,
    keepAliveTimeout: timeouts.idleMs,
    connectionTimeout: timeouts.inactivityMs,
    http: {
      maxHeaderSize: maxHeaderBytes,
      headersTimeout: timeouts.headersMs,
      connectionsCheckingInterval: timeouts.checkMs,
    },
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    genReqId: ({ headers }) => requestId(headers['x-request-id']),
    // These occur before routing, so the onRequest hook has not run.
    frameworkErrors: (error, request, reply) => {
      reply.raw.once('finish', () => limitBodyTime(request.raw, timeouts.lingerMs));
      setCommonHeaders(reply, request.id, options.secure);
      sendProblem(error, request, reply);
    },
    clientErrorHandler: rejectMalformed,
  });
  // Node remembers an address that was read, and has none of a connection that is closed by the time it is recorded.
  app.server.on('connection', (socket) => void socket.remoteAddress);
  // Callbacks, as an async hook costs every request a promise: docs/decisions/0025-hot-path.md.
  app.addHook('onRequest', (request, reply, done) => {
    setCommonHeaders(reply, request.id, options.secure);
    done();
  });
  app.addHook('preParsing', ({ raw, headers, routeOptions }, _reply, _payload, done) => {
    const sendsBody = 'content-length' in headers || 'transfer-encoding' in headers;
    if (sendsBody && !routeOptions.config.isUpload) limitBodyTime(raw, timeouts.bodyMs);
    done();
  });
  // Without redaction, as its lines have no secrets: docs/decisions/0025-hot-path.md.
  const requestLog = options.logger.child({}, { redact: [] });
  app.addHook('onResponse', (request, reply, done) => {
    // A refusal does not wait for the body.
    if (!request.raw.complete) limitBodyTime(request.raw, timeouts.lingerMs);
    const { elapsedTime } = reply;
    requestMetrics.observe(
      {
        operation: request.routeOptions.config.operationId ?? 'other',
        method: request.method,
        status: reply.statusCode,
      },
      elapsedTime / 1_000,
    );
    requestLog.info(
      {
        reqId: request.id,
        method: request.method,
        // Without the query, which may carry codes and tokens.
        path: request.originalUrl.split('?', 1)[0],
        status: reply.statusCode,
        durationMs: Math.round(elapsedTime * 10) / 10,
      },
      'answered',
    );
    done();
  });
  app.setErrorHandler(sendProblem);
  app.setNotFoundHandler((request, reply) => sendProblem(noSuchPath(), request, reply));
  return app;
}

declare module 'fastify' {
  interface FastifyContextConfig {
    operationId?: string;
    isUpload?: boolean;
  }
}

function requestId(sent: string | string[] | undefined): string {
  return typeof sent === 'string' && /^[A-Za-z0-9_-]{1,64}$/.test(sent) ? sent : randomUUID();
}

const securityHeaders = {
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
};

function setCommonHeaders(reply: FastifyReply, id: string, secure: boolean): void {
  reply.header('x-request-id', id).headers(securityHeaders);
  if (secure) reply.header('strict-transport-security', 'max-age=31536000');
}

function sendProblem(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const problem = problemOf(error, request.routeOptions.bodyLimit);
  if (problem.status >= 500) request.log.error({ err: error }, problem.title);
  const instance = request.originalUrl.split('?', 1)[0];
  return (
    reply
      .code(problem.status)
      .headers(problem.headers)
      .type('application/problem+json')
      // As bytes: Fastify would add a charset to text, which this media type does not have.
      .send(Buffer.from(JSON.stringify({ ...problem.toJSON(), instance, requestId: request.id })))
  );
}

/** Maps any error to what the client may see of it. */
function problemOf(error: unknown, bodyLimit: number | undefined): Problem {
  if (error instanceof Problem) return error;
  if (error instanceof StatementTimeout) return queryTooExpensive(error.limitMs);
  if (error instanceof Overloaded) return overloaded(error);
  if (error instanceof ReadBudgetExceeded) return answerTooLarge(error.maxBytes);
  if (isUnavailable(error)) return unavailable('The database does not answer; try again shortly.');
  switch ((error as FastifyError).code) {
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return unsupportedMediaType();
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return bodyTooLarge(bodyLimit ?? bodyLimitBytes);
    case 'FST_ERR_BAD_URL':
      return plainProblem(400, 'The path is not properly percent-encoded UTF-8.');
  }
  const { statusCode } = error as FastifyError;
  if (statusCode !== undefined && statusCode >= 400 && statusCode < 500) {
    return plainProblem(statusCode, (error as Error).message);
  }
  return plainProblem(500, 'The fault is ours and has been logged under the request id.');
}

function overloaded({ scope }: Overloaded): Problem {
  return scope === 'tenant'
    ? tooManyRequests(
        'Too many requests of this asset provider wait for the database: send fewer at a time.',
        2,
      )
    : unavailable('Too many requests wait for the database; try again shortly.');
}

/** Malformed HTTP never reaches a route. */
function rejectMalformed(error: NodeJS.ErrnoException, socket: import('node:net').Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const status =
    error.code === 'HPE_HEADER_OVERFLOW'
      ? 431
      : error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
        ? 408
        : 400;
  const problem = plainProblem(status);
  const requestId = randomUUID();
  const body = JSON.stringify({ ...problem.toJSON(), requestId });
  socket.end(
    `HTTP/1.1 ${status} ${problem.title}\r\nContent-Type: application/problem+json\r\n` +
      `X-Request-Id: ${requestId}\r\nContent-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  );
  // The client may go on sending.
  setTimeout(() => socket.destroy(), malformedLingerMs).unref();
}
