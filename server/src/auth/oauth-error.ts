import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { isUnavailable } from '../platform/db/unavailable.ts';
import { Problem, plainProblem, unavailable } from '../platform/http/problem.ts';
import { logFailure } from '../platform/http/server.ts';

/** Sends errors that occur outside of the OpenID library in the library's format. */
export function sendOAuthError(
  error: FastifyError | Problem,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const problem = problemOf(error);
  if (!problem) throw error;
  if (problem.status >= 500) logFailure(error, problem, request);
  return reply
    .code(problem.status)
    .headers({ 'cache-control': 'no-store', ...problem.headers })
    .send({ error: codeOf(problem), error_description: problem.detail });
}

function problemOf(error: FastifyError | Problem): Problem | undefined {
  if (error instanceof Problem) return error;
  if (isUnavailable(error)) return unavailable('the database does not answer');
  const { statusCode = 500 } = error;
  return statusCode < 500 ? plainProblem(statusCode, error.message) : undefined;
}

function codeOf({ status, kind }: Problem): string {
  return status === 503 ? 'temporarily_unavailable' : kind.replaceAll('-', '_');
}
