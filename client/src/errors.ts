import type { Problem } from './generated/schemas.ts';

/** The path is below the provider's base. */
type RequestLine = { method: string; path: string };

/** What this client throws, apart from the reason of an aborted signal. */
export class MotorpoolError extends Error {
  override name = 'MotorpoolError';
}

/** The service refused a request, or could not answer it. */
export class ProblemError extends MotorpoolError {
  override name = 'ProblemError';
  readonly status: number;
  /** The kind of problem, such as `not-found`, to be compared: it is the same at every service. `blank` where the answer names none, as from a proxy. */
  readonly kind: string;
  /** The URL of a page about the kind of problem. */
  readonly type: string;
  readonly title: string;
  readonly detail: string | undefined;
  /** Each value of the request that was refused, with a JSON pointer to it. */
  readonly errors: NonNullable<Problem['errors']>;
  /** Names the request in the log of the service. */
  readonly requestId: string | undefined;
  readonly headers: Headers;

  /** The request is named in the message, by method and path: queries may be personal. */
  constructor(problem: Partial<Problem>, response: Response, request?: RequestLine) {
    const {
      title = response.statusText || `HTTP ${response.status}`,
      detail,
      errors = [],
    } = problem;
    const issues = errors.map(({ pointer, detail }) => `${pointer}: ${detail}`);
    const about = request ? `${request.method} ${request.path}: ` : '';
    super([`${about}${response.status} ${title}`, detail, ...issues].filter(Boolean).join('\n'));
    this.status = response.status;
    this.type = problem.type ?? 'about:blank';
    this.kind = /[^/:]*$/.exec(this.type)?.[0] ?? '';
    this.title = title;
    this.detail = detail;
    this.errors = errors;
    this.requestId = problem.requestId ?? response.headers.get('x-request-id') ?? undefined;
    this.headers = response.headers;
  }
}

/** The authorization server refused to issue a token. */
export class TokenError extends MotorpoolError {
  override name = 'TokenError';
  readonly status: number;
  /** The code of RFC 6749, such as `invalid_client`. */
  readonly error: string;

  constructor(status: number, error: string, description?: string) {
    super(`No token: ${status} ${error}${description ? `: ${description}` : ''}`);
    this.status = status;
    this.error = error;
  }
}

/** No answer: the service was not reached, the connection broke, or the answer took too long. */
export class ConnectionError extends MotorpoolError {
  override name = 'ConnectionError';
}

/** A webhook was not signed with the secret, or not just now. */
export class WebhookVerificationError extends MotorpoolError {
  override name = 'WebhookVerificationError';
}

/** The problem that an answer states; one of its status where it states none, as from a proxy. */
export async function problemOf(response: Response, request: RequestLine): Promise<ProblemError> {
  const body: unknown = await response.json().catch(() => undefined);
  const isProblem = typeof body === 'object' && body !== null;
  return new ProblemError(isProblem ? body : {}, response, request);
}
