import { STATUS_CODES } from 'node:http';
import { type Role, rolesPermitting } from './principal.ts';

/** One issue of a request: where (a JSON pointer into the body, or a named part) and what. */
export type ValidationIssue = {
  pointer: string;
  detail: string;
  /** Of a document that is judged by a standard: its rule and term, and the values found and expected. */
  rule?: string;
  term?: string;
  found?: string;
  expected?: string;
};

/** Of the body of a problem; what exceeds them is cut off. */
export const problemLimits = { errors: 1_000, textLength: 10_000 };

/** Below the public address: every kind of problem has a page there, and this URL is its type. */
export const problemsPath = '/problems';

type ProblemOptions = {
  detail?: string;
  errors?: ValidationIssue[];
  headers?: Record<string, string>;
  /** False for what says no more than its status: its type is then `about:blank`. */
  hasPage?: boolean;
  /** For the log alone. */
  cause?: unknown;
};

/** An error response, thrown anywhere and rendered by one handler (RFC 9457). */
export class Problem extends Error {
  override readonly name = 'Problem';
  readonly status: number;
  readonly kind: string;
  readonly title: string;
  readonly detail: string | undefined;
  readonly errors: ValidationIssue[] | undefined;
  readonly headers: Record<string, string>;
  readonly #hasPage: boolean;

  constructor(status: number, kind: string, title: string, options: ProblemOptions = {}) {
    super(options.detail ?? title, { cause: options.cause });
    this.status = status;
    this.kind = kind;
    this.title = title;
    this.detail = options.detail;
    this.errors = options.errors;
    this.headers = options.headers ?? {};
    this.#hasPage = options.hasPage ?? true;
  }

  /** Its members of RFC 9457, but for those of the request. */
  toBody(publicUrl: string) {
    return {
      type: this.#hasPage ? `${publicUrl}${problemsPath}/${this.kind}` : 'about:blank',
      title: this.title,
      status: this.status,
      detail: this.detail?.slice(0, problemLimits.textLength),
      errors: this.errors?.slice(0, problemLimits.errors).map(boundedIssue),
    };
  }
}

function boundedIssue(issue: ValidationIssue): ValidationIssue {
  const texts = Object.entries(issue).map(([name, text]: [string, string | undefined]) => [
    name,
    text?.slice(0, problemLimits.textLength),
  ]);
  return Object.fromEntries(texts) as ValidationIssue;
}

export function invalidBody(errors: ValidationIssue[]): Problem {
  const detail =
    errors.length === 1 ? errors[0]?.detail : `The request body has ${errors.length} issues.`;
  return new Problem(400, 'invalid-body', 'The request body is not valid', { detail, errors });
}

export function invalidPath(errors: ValidationIssue[]): Problem {
  return new Problem(400, 'invalid-path', 'The path is not valid', {
    detail: errors.map((error) => error.detail).join(' '),
    errors,
  });
}

export function notFound(what: string): Problem {
  return new Problem(404, 'not-found', `No such ${what}`, {
    detail: `The ${what} does not exist, or it belongs to another asset provider.`,
  });
}

export function noSuchPath(path = ''): Problem {
  const meant = path.replace(/(?<!\/)\/+$/, '');
  const detail =
    meant !== path && meant !== ''
      ? `Nothing is served at this path. Paths end without a slash: ${meant}`
      : 'Nothing is served at this path; /openapi.json lists what is.';
  return new Problem(404, 'no-such-path', 'No such path', { detail });
}

export function unauthorized(realm: string, tokenSent: boolean): Problem {
  const challenge = `Bearer realm="${realm}"`;
  return new Problem(401, 'unauthorized', 'A valid bearer token is required', {
    detail: tokenSent
      ? 'The bearer token is expired, malformed, revoked or not issued by this service.'
      : 'Send the header Authorization: Bearer <ACCESS_TOKEN>.',
    headers: {
      'www-authenticate': tokenSent ? `${challenge}, error="invalid_token"` : challenge,
    },
  });
}

/** With the codes of the path, where they may be meant in upper case. */
export function forbidden(countryCode = '', code = ''): Problem {
  const sent = `${countryCode}/${code}`;
  const hint = sent === sent.toUpperCase() ? '' : ` Codes are in upper case: ${sent.toUpperCase()}`;
  return new Problem(403, 'forbidden', 'Access to the asset provider is rejected', {
    detail: `The bearer token was issued for another asset provider, or this one is disabled.${hint}`,
  });
}

export function insufficientRole(realm: string, needed: Role, held: readonly Role[]): Problem {
  const may = rolesPermitting(needed).join(', ');
  return new Problem(403, 'insufficient-role', 'The role does not permit this operation', {
    detail: `This operation needs the role ${needed} (permitted: ${may}); the token has ${held.join(', ') || 'none'}.`,
    headers: {
      'www-authenticate': `Bearer realm="${realm}", error="insufficient_scope", error_description="the role ${needed} is needed"`,
    },
  });
}

export function foreignNetwork(): Problem {
  return new Problem(403, 'foreign-network', 'Access from this network is rejected', {
    detail: 'The client is bound to networks, and the address of the request is in none of them.',
  });
}

export function methodNotAllowed(allow: readonly string[]): Problem {
  return new Problem(405, 'method-not-allowed', 'Method not allowed', {
    detail: `This path answers ${allow.join(', ')}.`,
    headers: { allow: allow.join(', ') },
  });
}

export function unsupportedMediaType(types: readonly string[] = ['application/json']): Problem {
  return new Problem(415, 'unsupported-media-type', 'Unsupported media type', {
    detail: `Send the body in UTF-8 with Content-Type: ${types.join(' or ')}.`,
  });
}

export function bodyTooLarge(limitBytes: number): Problem {
  return new Problem(413, 'body-too-large', 'The request body is too large', {
    detail: `At most ${limitBytes} bytes are accepted.`,
  });
}

export function answerTooLarge(limitBytes: number): Problem {
  return new Problem(422, 'answer-too-large', 'The answer is too large', {
    detail: `The answer has more than ${limitBytes / 1_048_576} MiB: where it has pages, ask for a smaller one with pageSize.`,
  });
}

export function unavailable(detail: string, cause?: unknown): Problem {
  return new Problem(503, 'unavailable', 'The service cannot answer right now', {
    detail,
    cause,
    headers: { 'retry-after': '2' },
  });
}

export function tooManyRequests(
  detail: string,
  retryAfterSeconds: number,
  headers: Record<string, string> = {},
): Problem {
  return new Problem(429, 'too-many-requests', 'Too many requests', {
    detail,
    headers: { 'retry-after': String(retryAfterSeconds), ...headers },
  });
}

export function queryTooExpensive(limitMs: number): Problem {
  return tooExpensive(
    `The database was stopped after ${limitMs} ms: narrow the search, by fewer or more selective filters.`,
  );
}

export function tooExpensive(detail: string): Problem {
  return new Problem(503, 'query-too-expensive', 'The search takes too long', {
    detail,
    headers: { 'retry-after': '10' },
  });
}

export function isTooExpensive(error: unknown): boolean {
  return error instanceof Problem && error.kind === 'query-too-expensive';
}

/** Kinds of `plainProblem` that the service itself answers with; the demo simulates others, too. */
export const plainKinds: readonly string[] = [
  'bad-request',
  'request-timeout',
  'request-header-fields-too-large',
  'internal-server-error',
];

/** For protocol errors that the framework reports with a status only. */
export function plainProblem(status: number, detail?: string): Problem {
  const title = STATUS_CODES[status] ?? 'Error';
  const kind = title.toLowerCase().replaceAll(/[^a-z]+/g, '-');
  return new Problem(status, kind, title, { detail, hasPage: plainKinds.includes(kind) });
}
