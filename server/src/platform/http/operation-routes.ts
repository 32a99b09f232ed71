import { METHODS } from 'node:http';
import type { Readable } from 'node:stream';
import type { FastifyInstance, FastifyRequest, HTTPMethods, onRequestHookHandler } from 'fastify';
import type { Database } from '../db/database.ts';
import { longWork } from '../pace.ts';
import { searchLimits } from '../search/limits.ts';
import { timed } from '../timed.ts';
import { abandoned, batchReader, jsonLinesTypes, readInTurn } from './batch.ts';
import { createBodyTurns, largeBodyBytes } from './body-turns.ts';
import { compressAnswers } from './compression.ts';
import { acceptGzipBodies } from './gzip-bodies.ts';
import {
  type KeyedRequest,
  keyedRequest,
  takesIdempotencyKey,
} from './idempotency/idempotency-key.ts';
import { runOnce, uploadOnce } from './idempotency/run-once.ts';
import { parseJsonBody } from './json-body.ts';
import { LargeJson } from './large-json.ts';
import { tracked } from './once-handled.ts';
import { basePath, type KeepAnswer, type Operation, type OperationResult } from './operation.ts';
import {
  type Authenticate,
  authenticationHook,
  authorize,
  authorizeAgain,
  callerOf,
  isAuthorized,
  providerOf,
} from './operation-access.ts';
import { type AnswerContext, answerSender } from './operation-answer.ts';
import { actingAs, type TenantDependencies, tenantDependencies } from './operation-dependencies.ts';
import { pacedUpload } from './paced-bytes.ts';
import { boundPendingBatches } from './pending-batches.ts';
import { createPendingUploads } from './pending-uploads.ts';
import {
  invalidBody,
  methodNotAllowed,
  Problem,
  plainProblem,
  unsupportedMediaType,
} from './problem.ts';
import { queryReader } from './query.ts';
import { positionHeader, withReplica } from './replica-reads.ts';
import { chargeBody } from './request-limits.ts';
import { partReader } from './request-part.ts';
import { createUnsentAnswers } from './unsent-answers.ts';

/** Registers every operation, and 405 for the other methods of their paths. */
export function registerOperations<Dependencies extends TenantDependencies>(
  app: FastifyInstance,
  operations: readonly Operation<Dependencies>[],
  dependencies: Dependencies,
  authenticate: Authenticate,
  /** Applied to authenticated requests. */
  limit?: onRequestHookHandler,
): void {
  acceptEveryMethod(app);
  app.decorateRequest('principal', null);
  app.removeAllContentTypeParsers();
  compressAnswers(app);
  const beforeAuthorization = [authenticationHook(authenticate), ...(limit ? [limit] : [])];
  const bounds = { holdUnsent: createUnsentAnswers(), beginUpload: createPendingUploads() };
  const beginInTurn = createBodyTurns();
  const streams = new Set<Readable>();
  // They would not end by themselves.
  app.addHook('preClose', async () => {
    for (const stream of streams) stream.push(null);
  });
  const registerKind = (scope: FastifyInstance, kind: 'json' | 'batch' | 'upload') => {
    for (const operation of operations) {
      if (bodyKindOf(operation) === kind)
        registerOperation(scope, operation, dependencies, {
          authenticate,
          beforeAuthorization,
          streams,
          ...bounds,
        });
    }
  };
  app.register(async (scope) => {
    acceptGzipBodies(scope);
    parseBodies(scope, ['application/json'], parseJsonBody, beginInTurn);
    registerKind(scope, 'json');
  });
  app.register(async (scope) => {
    acceptGzipBodies(scope);
    boundPendingBatches(scope);
    parseBodies(scope, ['application/json', ...jsonLinesTypes], (body) => body, beginInTurn);
    registerKind(scope, 'batch');
  });
  app.register(async (scope) => {
    // The handler gets the unread stream, of any content type.
    scope.addHook('onRequest', async ({ headers }) => {
      delete headers['content-type'];
    });
    scope.addContentTypeParser('*', (_request, _payload, done) => done(null));
    registerKind(scope, 'upload');
  });
  for (const [path, allowed] of methodsByPath(operations)) {
    app.route({
      method: METHODS.filter(
        (method) => method !== 'CONNECT' && !allowed.includes(method),
      ) as HTTPMethods[],
      url: routePath(path),
      // In the first hook, so that not even the body is read.
      onRequest: async () => {
        throw methodNotAllowed(allowed);
      },
      handler: async () => {},
    });
  }
}

function bodyKindOf({ batch, upload }: Operation<never>): 'json' | 'batch' | 'upload' {
  if (upload) return 'upload';
  return batch ? 'batch' : 'json';
}

function bodyLimitOf({ batch, upload, workload }: Operation<never>): number | undefined {
  return workload === 'search' ? searchLimits.bodyBytes : (batch?.maxBytes ?? upload?.parsedBytes);
}

/** Parses bodies of these types; the content type of an empty body is ignored. */
function parseBodies(
  scope: FastifyInstance,
  types: string[],
  read: (body: Buffer) => unknown,
  beginInTurn: ReturnType<typeof createBodyTurns>,
): void {
  const parseAs = 'buffer' as const;
  scope.addContentTypeParser(types, { parseAs }, (request, body: Buffer, done) => {
    if (!isUtf8(request.headers)) throw unsupportedMediaType(types);
    if (!chargeBody(request)) return;
    if (body.length <= largeBodyBytes) return done(null, read(body));
    const { id } = providerOf(request.params as Record<string, string>);
    beginInTurn(id, () => {
      try {
        if (isAbandoned(request)) throw abandoned();
        // Validates, and runs the handler until it waits for something.
        done(null, read(body));
      } catch (error) {
        done(error as Error);
      }
    });
  });
  scope.addContentTypeParser('*', { parseAs }, (_request, body: Buffer, done) => {
    if (body.length > 0) throw unsupportedMediaType(types);
    done(null);
  });
}

function isAbandoned({ raw }: FastifyRequest): boolean {
  return raw.socket.destroyed;
}

type RouteContext = AnswerContext & {
  authenticate: Authenticate;
  beforeAuthorization: readonly onRequestHookHandler[];
  beginUpload: ReturnType<typeof createPendingUploads>;
};

function registerOperation<Dependencies extends TenantDependencies>(
  app: FastifyInstance,
  operation: Operation<Dependencies>,
  dependencies: Dependencies,
  context: RouteContext,
): void {
  const { authenticate, beforeAuthorization, beginUpload } = context;
  const sendAnswer = answerSender(operation, context);
  const { clock } = dependencies;
  const readBody = operation.body && partReader(operation.body, clock);
  const readMessages = operation.batch && readInTurn(batchReader(operation.batch, clock));
  const readQuery = queryReader(clock, operation.query);
  const kind = bodyKindOf(operation);
  const dependenciesOf = tenantDependencies(dependencies, operation.workload);
  // What vehicles report is not recorded, and those who read write nothing.
  const takesKey = takesIdempotencyKey(operation);
  const readReplica = dependencies.replica && withReplica(operation, dependencies.replica);
  const isRecorded = operation.role === 'editor' || operation.role === 'admin';
  app.route({
    method: operation.method,
    url: routePath(operation.path),
    bodyLimit: bodyLimitOf(operation),
    config: {
      operationId: operation.id,
      isUpload: kind === 'upload',
      isStored: kind === 'upload' && operation.upload?.parsedBytes === undefined,
      isStream: operation.stream === true,
    },
    onRequest: [
      ...beforeAuthorization,
      (request, _reply, done) => {
        authorize(request, operation.role);
        done();
      },
    ],
    handler: tracked(async (request, reply) => {
      // It would count no longer as one in flight.
      if (isAbandoned(request)) throw abandoned();
      const parameters = request.params as Record<string, string>;
      const provider = providerOf(parameters);
      const begunAt = Date.now() - reply.elapsedTime;
      const stillAuthorized = () => authorizeAgain(request, authenticate, operation.role, begunAt);
      const messages = readMessages
        ? await readMessages({
            provider: provider.id,
            contentType: request.headers['content-type'],
            body: request.body,
            isAbandoned: () => isAbandoned(request),
          })
        : [];
      if (operation.method !== 'GET' && kind !== 'upload') await stillAuthorized();
      const given = isRecorded
        ? actingAs(callerOf(request), operation.id, dependenciesOf(provider.id))
        : dependenciesOf(provider.id);
      const today = operation.body?.today && (await operation.body.today(provider, given));
      const readInput =
        kind === 'json' && timed(() => bodyOf(operation, readBody, request.body, today));
      // Also what is refused: to tell what is wrong may take longer than to do what is right.
      if (readInput && readInput.ms > shortMs) {
        await longWork.begin(provider.id, readInput.ms)();
        await stillAuthorized();
      }
      const input = {
        provider,
        caller: () => callerOf(request),
        isAuthorized: () => isAuthorized(request, authenticate, operation.role),
        stillAuthorized,
        parameters,
        query: readQuery(request.query as Record<string, unknown>),
        header: (name: string) => headerOf(request, name),
        body: readInput ? readInput.result() : undefined,
        messages,
        bytes: bytesOf(pacedUpload(received(request.raw), provider.id), stillAuthorized),
        keepAnswer: keepNoAnswer,
      };
      const keyed = takesKey ? keyedRequest(operation, provider.id, request) : undefined;
      const endUpload = kind === 'upload' && beginUpload(callerOf(request), request.headers);
      const handle = (db = given.db) =>
        keyed
          ? handleOnce(operation, keyed, request.body, input, given)
          : operation
              .handler(input, db === given.db ? given : { ...given, db })
              .then((result) => holdRows(result, db));
      const result = readReplica
        ? readReplica({
            provider: provider.id,
            position: headerOf(request, positionHeader),
            handle,
          })
        : handle();
      const answer = await (endUpload
        ? result.finally(() => {
            endUpload();
            // Drains what was not read; otherwise the client might not see the response.
            request.raw.resume();
          })
        : result);
      return sendAnswer(request, reply, answer);
    }),
  });
}

type Input<Dependencies> = Parameters<Operation<Dependencies>['handler']>[0];

/** The searches of a tenant wait for its large answers: in memory at a time are few. */
function holdRows<Result extends OperationResult<number>>(result: Result, db: Database): Result {
  if (result.body instanceof LargeJson) result.body.holdRows(db);
  return result;
}

const keepNoAnswer: KeepAnswer = async () => {};

function handleOnce<Dependencies extends TenantDependencies>(
  operation: Operation<Dependencies>,
  keyed: KeyedRequest,
  body: unknown,
  input: Input<Dependencies>,
  given: Dependencies,
): Promise<OperationResult<number>> {
  if (operation.upload) {
    return uploadOnce(given.db, keyed, input.bytes, (bytes, keepAnswer) =>
      operation.handler({ ...input, bytes, keepAnswer }, given),
    );
  }
  return runOnce(given.db, keyed, body, (db) => operation.handler(input, { ...given, db }));
}

const recheckMs = 1_000;
const longestPauseMs = 240_000;

/**
 * What comes, with which the caller is checked again: each second, as what has ended access is remembered for minutes alone, and
 * at the end.
 */
async function* bytesOf(
  chunks: AsyncIterable<Buffer>,
  stillAuthorized: () => void | Promise<void>,
): AsyncGenerator<Buffer> {
  let checkedAt = Date.now();
  const check = async () => {
    // What keeps the connection open without a byte of the body: what has ended since may be forgotten.
    if (Date.now() - checkedAt > longestPauseMs)
      throw plainProblem(408, 'No byte of the body was read for minutes.');
    await stillAuthorized();
    checkedAt = Date.now();
  };
  for await (const chunk of chunks) {
    if (Date.now() - checkedAt >= recheckMs) await check();
    yield chunk;
  }
  await check();
}

/** The request stays open, so that it can be answered. */
async function* received(request: Readable): AsyncGenerator<Buffer> {
  try {
    yield* request.iterator({ destroyOnReturn: false });
  } catch (error) {
    throw new Problem(400, 'cut-short', 'The request was cut short', {
      detail: 'The connection ended before all bytes had come.',
      cause: error,
    });
  }
}

/** HTTP defines Range for GET only. */
function headerOf({ method, headers }: FastifyRequest, name: string): string | undefined {
  const value = method === 'HEAD' && name === 'range' ? undefined : headers[name];
  return Array.isArray(value) ? value.join(', ') : value;
}

/** Of what takes longer, others are served before its tenant goes on. */
const shortMs = 5;

function bodyOf(
  operation: Operation<never>,
  read: ReturnType<typeof partReader> | undefined,
  sent: unknown,
  today: string | undefined,
): unknown {
  if (!operation.body || !read) {
    if (sent !== undefined && JSON.stringify(sent) !== '{}') {
      throw invalidBody([{ pointer: '', detail: 'This operation takes no body.' }]);
    }
    return undefined;
  }
  if (sent === undefined && operation.body.required) {
    throw invalidBody([{ pointer: '', detail: 'A JSON body is required.' }]);
  }
  const body = read(sent === undefined ? {} : sent, today);
  if ('issues' in body) throw invalidBody(body.issues);
  return body.value;
}

function routePath(path: string): string {
  return (basePath + path).replaceAll(/\{(\w+)\}/g, ':$1');
}

function methodsByPath(operations: readonly Operation<never>[]): Map<string, string[]> {
  const methods = new Map<string, string[]>();
  for (const { path, method } of operations) {
    const known = methods.get(path) ?? [];
    known.push(...(method === 'GET' ? ['GET', 'HEAD'] : [method]));
    methods.set(path, known);
  }
  return methods;
}

/** By default Fastify knows eight methods; the others must be answered with 405, too. */
function acceptEveryMethod(app: FastifyInstance): void {
  for (const method of METHODS) {
    if (method !== 'CONNECT' && !app.supportedMethods.includes(method)) app.addHttpMethod(method);
  }
}

function isUtf8({ 'content-type': type = '' }: FastifyRequest['headers']): boolean {
  const charset = /;\s*charset="?([^";\s]+)/i.exec(type)?.[1] ?? 'utf-8';
  return /^utf-?8$/i.test(charset);
}
