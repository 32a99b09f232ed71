import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
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
import { isDiskFull, isUnavailable } from '../db/unavailable.ts';
import { type OutageLog, outageLog } from '../outage-log.ts';
import { activeTracing } from '../tracing/tracing.ts';
import { limitChunks } from './body-chunks.ts';
import { closeUnread, limitBodyTime } from './body-timeout.ts';
import { maxHeaderBytes, maxHeaders } from './header-limit.ts';
import { shedLoad } from './load-shedding.ts';
import { loggedPath, type PersonalSegment } from './logged-path.ts';
import { refusedRequests, requestMetrics } from './metrics.ts';
import { startInTurn } from './pipelining.ts';
import {
  answerTooLarge,
  bodyTooLarge,
  invalidBody,
  noSuchPath,
  Problem,
  plainProblem,
  queryTooExpensive,
  tooManyRequests,
  unavailable,
  unsupportedMediaType,
} from './problem.ts';
import { hostIssue, originForm } from './request-target.ts';
import { endSpan, followTrace } from './request-trace.ts';
import { dropForwardedPorts, type TrustProxy, trustProxyOption } from './trust-proxy.ts';

export type ServerOptions = {
  logger: FastifyBaseLogger;
  trustProxy: TrustProxy;
  /** Whether the public address is https, so that HSTS is sent. */
  secure: boolean;
  /** The address of the pages that the types of problems name: never what a request says its host is. */
  publicUrl: () => string;
  /** Of paths, which logs and traces do not have. */
  personalSegment?: PersonalSegment;
  timeouts?: Partial<Timeouts>;
  /** How often repeated failures of one kind are logged. */
  outageIntervalMs?: number | undefined;
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

export const defaultTimeouts: Timeouts = {
  headersMs: 15_000,
  bodyMs: 60_000,
  requestMs: 1_800_000,
  idleMs: 72_000,
  inactivityMs: 120_000,
  lingerMs: 10_000,
  checkMs: 5_000,
};

const malformedLingerMs = 1_000;
// As proxies log it; nobody is sent it.
const clientClosedRequest = 499;

export const bodyLimitBytes = 1024 * 1024;

/** Fastify with request ids, limits, logs, headers and error handling, without any route. */
export function createServer(options: ServerOptions): FastifyInstance {
  const timeouts = { ...defaultTimeouts, ...options.timeouts };
  const logOutage = outageLog(options.outageIntervalMs);
  const sendProblem = problemSender(options.publicUrl);
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
      // Node would answer by itself, without any of the limits here: hostIssue refuses instead.
      requireHostHeader: false,
    },
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    rewriteUrl: ({ url = '/' }) => originForm(url),
    genReqId: ({ headers }) => requestId(headers['x-request-id']),
    // These occur before routing, so the onRequest hook has not run.
    frameworkErrors: (error, request, reply) => {
      reply.raw.once('finish', () => limitBodyTime(request.raw, timeouts.lingerMs));
      setCommonHeaders(reply, request.id, options.secure);
      sendProblem(error, request, reply);
    },
    clientErrorHandler: (error, socket) => rejectMalformed(error, socket, options.publicUrl()),
  });
  // One more than is served: some versions of Node drop the others instead of refusing them, and its parser obeys these all the same.
  app.server.maxHeadersCount = maxHeaders + 1;
  // Node remembers an address that was read, and has none of a connection that is closed by the time it is recorded.
  app.server.on('connection', (socket) => void socket.remoteAddress);
  // An unknown expectation may be ignored (RFC 9110, 10.1.1); Node would answer by itself, without any of the limits here.
  app.server.on('checkExpectation', (request, response) =>
    app.server.emit('request', request, response),
  );
  // Without redaction, as its lines have no secrets: docs/decisions/0025-hot-path.md.
  const requestLog = options.logger.child({}, { redact: [] });
  const report = (
    request: FastifyRequest,
    { elapsedTime }: FastifyReply,
    status: number,
    message: 'answered' | 'aborted',
  ) => {
    const { method, principal } = request;
    const operation = request.routeOptions.config.operationId ?? 'other';
    requestMetrics.observe({ operation, method, status }, elapsedTime / 1_000);
    endSpan(request, status);
    requestLog.info(
      {
        reqId: request.id,
        method,
        path: loggedPath(request.originalUrl, options.personalSegment),
        operation,
        ...(principal && { provider: principal.provider, client: principal.clientId }),
        ...request.trace,
        status,
        durationMs: Math.round(elapsedTime * 10) / 10,
      },
      message,
    );
  };
  // Callbacks, as an async hook costs every request a promise: docs/decisions/0025-hot-path.md.
  app.addHook('onRequest', (request, reply, done) => {
    if (options.trustProxy) dropForwardedPorts(request.raw.headers);
    setCommonHeaders(reply, request.id, options.secure);
    followTrace(request, options.personalSegment);
    reply.raw.once('close', () => {
      // Fastify does not call onResponse then.
      if (!reply.raw.writableFinished) report(request, reply, clientClosedRequest, 'aborted');
    });
    const { span, raw } = request;
    startInTurn(reply.raw, () => {
      const problem = headerProblem(raw);
      if (problem) {
        reply.header('connection', 'close');
        done(problem);
      } else if (span) span.activate(done);
      else done();
    });
  });
  // Reading a body ends what was active.
  if (activeTracing())
    app.addHook('preValidation', ({ span }, _reply, done) => (span ? span.activate(done) : done()));
  app.decorateRequest('trace', undefined);
  app.decorateRequest('span', undefined);
  app.decorate('logOutage', logOutage);
  app.addHook('preParsing', (request, _reply, _payload, done) => {
    const { raw, headers, routeOptions } = request;
    // Before the body is read: nobody has authenticated, and parsing it keeps the event loop from others.
    if (request.is404) return done(noSuchPath(pathOf(request)));
    const sendsBody = 'content-length' in headers || 'transfer-encoding' in headers;
    if (sendsBody && !routeOptions.config.isUpload) limitBodyTime(raw, timeouts.bodyMs);
    done();
  });
  app.addHook('onSend', (request, reply, _payload, done) => {
    if (reply.getHeader('connection') === 'close') closeUnread(request.raw);
    done();
  });
  app.addHook('onResponse', (request, reply, done) => {
    // A refusal does not wait for the body.
    if (!request.raw.complete) limitBodyTime(request.raw, timeouts.lingerMs);
    report(request, reply, reply.statusCode, 'answered');
    done();
  });
  closeIdleWhileStopping(app);
  shedLoad(app, overloadRefusal(options, timeouts.lingerMs, logOutage));
  // After it, so that the bodies of those it refuses are counted as well.
  limitChunks(app.server);
  app.setErrorHandler(sendProblem);
  app.setNotFoundHandler((request, reply) =>
    sendProblem(noSuchPath(pathOf(request)), request, reply),
  );
  return app;
}

declare module 'fastify' {
  interface FastifyInstance {
    logOutage: OutageLog;
  }
  interface FastifyContextConfig {
    operationId?: string;
    isUpload?: boolean;
    /** An upload whose bytes are not parsed. */
    isStored?: boolean;
    isStream?: boolean;
  }
}

function headerProblem(request: IncomingMessage): Problem | undefined {
  const issue = hostIssue(request);
  if (issue) return plainProblem(400, issue);
  return request.rawHeaders.length > 2 * maxHeaders
    ? plainProblem(431, `A request has at most ${maxHeaders} headers.`)
    : undefined;
}

function requestId(sent: string | string[] | undefined): string {
  return typeof sent === 'string' && /^[A-Za-z0-9_-]{1,64}$/.test(sent) ? sent : randomUUID();
}

function pathOf({ originalUrl }: FastifyRequest): string {
  return originalUrl.split('?', 1)[0] ?? '';
}

const securityHeaders = {
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
};

const strictTransport = { 'strict-transport-security': 'max-age=31536000' };

/** Node closes what is idle when a stop begins, and keeps a connection whose request ends later for as long as any. */
function closeIdleWhileStopping(app: FastifyInstance): void {
  let closing: NodeJS.Timeout | undefined;
  app.addHook('preClose', async () => {
    closing = setInterval(() => app.server.closeIdleConnections(), 50);
  });
  app.addHook('onClose', async () => clearInterval(closing));
}

function setCommonHeaders(reply: FastifyReply, id: string, secure: boolean): void {
  reply.header('x-request-id', id).headers(securityHeaders);
  if (secure) reply.headers(strictTransport);
}

function problemSender(publicUrl: () => string) {
  return (error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    const problem = problemOf(error, request.routeOptions.bodyLimit);
    if (problem.status >= 500 && !isHangUp(error, reply)) logFailure(error, problem, request);
    const own = { instance: pathOf(request), requestId: request.id };
    return (
      reply
        .code(problem.status)
        .headers(problem.headers)
        .type('application/problem+json')
        // As bytes: Fastify would add a charset to text, which this media type does not have.
        .send(Buffer.from(JSON.stringify({ ...problem.toBody(publicUrl()), ...own })))
    );
  };
}

/** An answer in pieces whose client has hung up: the fault is not ours. */
function isHangUp(error: unknown, { raw }: FastifyReply): boolean {
  return raw.closed && (error as { code?: string }).code === 'ERR_STREAM_PREMATURE_CLOSE';
}

/** One that is expected to pass is logged at intervals: it concerns every request. */
export function logFailure(error: unknown, problem: Problem, request: FastifyRequest): void {
  const { log, logOutage } = request.server;
  if (problem.status !== 503) request.log.error({ err: error }, problem.title);
  else
    logOutage(`${problem.title}: ${problem.detail}`, error, (fields, text) =>
      log.error(fields, text),
    );
}

/** Maps any error to what the client may see of it. */
function problemOf(error: unknown, bodyLimit: number | undefined): Problem {
  if (error instanceof Problem) return error;
  if (error instanceof StatementTimeout) return queryTooExpensive(error.limitMs);
  if (error instanceof Overloaded) return overloaded(error);
  if (error instanceof ReadBudgetExceeded) return answerTooLarge(error.maxBytes);
  if (isDiskFull(error))
    return unavailable('The disk of the database is full; writes work again once there is room.');
  const { statusCode } = error as FastifyError;
  // With a status it is of a body whose client has hung up, which breaks a connection as well.
  if (isUnavailable(error) && statusCode === undefined)
    return unavailable('The database does not answer; try again shortly.');
  switch ((error as FastifyError).code) {
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return unsupportedMediaType();
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return bodyTooLarge(bodyLimit ?? bodyLimitBytes);
    case 'Z_DATA_ERROR':
    case 'Z_BUF_ERROR':
      return invalidBody([{ pointer: '', detail: 'The body is not valid gzip.' }]);
    case 'FST_ERR_BAD_URL':
      return plainProblem(400, 'The path is not properly percent-encoded UTF-8.');
  }
  if (statusCode !== undefined && statusCode >= 400 && statusCode < 500) {
    return plainProblem(statusCode, (error as Error).message);
  }
  return plainProblem(500, 'The fault is ours and has been logged under the request id.');
}

function overloaded({ scope, resource }: Overloaded): Problem {
  return scope === 'tenant'
    ? tooManyRequests(
        `Too many requests of this asset provider wait for ${resource}: send fewer at a time.`,
        2,
      )
    : unavailable(`Too many requests wait for ${resource}; try again shortly.`);
}

/** For requests that are refused before Fastify sees them. */
function overloadRefusal(
  { logger, publicUrl, secure }: ServerOptions,
  lingerMs: number,
  logOutage: OutageLog,
) {
  const problems = {
    tenant: tooManyRequests(
      'More requests of this asset provider come than can be answered: send fewer at a time.',
      2,
    ),
    all: unavailable('More requests come than can be answered; try again shortly.'),
  };
  return (
    request: IncomingMessage,
    response: ServerResponse,
    overloadedBy: keyof typeof problems,
  ): void => {
    const problem = problems[overloadedBy];
    refusedRequests.inc();
    logOutage('overload', problem, (fields, text) => logger.warn(fields, text));
    limitBodyTime(request, lingerMs);
    const id = requestId(request.headers['x-request-id']);
    const own = { instance: request.url?.split('?', 1)[0], requestId: id };
    const body = JSON.stringify({ ...problem.toBody(publicUrl()), ...own });
    response
      .writeHead(problem.status, {
        ...securityHeaders,
        ...problem.headers,
        ...(secure && strictTransport),
        'x-request-id': id,
        'content-type': 'application/problem+json',
        'content-length': Buffer.byteLength(body),
      })
      .end(request.method === 'HEAD' ? undefined : body);
  };
}

/** Malformed HTTP never reaches a route. */
function rejectMalformed(
  error: NodeJS.ErrnoException,
  socket: import('node:net').Socket,
  publicUrl: string,
): void {
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
  const body = JSON.stringify({ ...problem.toBody(publicUrl), requestId });
  socket.end(
    `HTTP/1.1 ${status} ${problem.title}\r\nContent-Type: application/problem+json\r\n` +
      `X-Request-Id: ${requestId}\r\nContent-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  );
  // The client may go on sending.
  setTimeout(() => socket.destroy(), malformedLingerMs).unref();
}
