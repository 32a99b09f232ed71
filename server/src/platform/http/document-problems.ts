import { STATUS_CODES } from 'node:http';
import Type from 'typebox';
import { maxHeaderBytes } from './header-limit.ts';
import { maxAnswerBytes } from './large-json.ts';
import { problemLimits, problemsPath } from './problem.ts';

const boundedText = (description: string) =>
  Type.String({ maxLength: problemLimits.textLength, description });

export const ProblemSchema = Type.Object(
  {
    type: Type.String({
      maxLength: 1_000,
      description:
        'The kind of problem: a URL whose page tells what it means and what to do. Its last segment is the name of the kind, and the same at every service.',
      examples: [`https://fleet.example.com${problemsPath}/invalid-body`],
    }),
    title: Type.String({ maxLength: 200, description: 'The kind of problem in words.' }),
    status: Type.Integer({ description: 'The status of the answer.' }),
    detail: Type.Optional(boundedText('What is wrong this time.')),
    instance: Type.Optional(
      Type.String({ maxLength: maxHeaderBytes, description: 'The path of the request.' }),
    ),
    requestId: Type.String({
      maxLength: 64,
      description: 'The id of the request, also in the header X-Request-Id and in the log.',
    }),
    errors: Type.Optional(
      Type.Array(
        Type.Object({
          pointer: boundedText(
            'JSON pointer into the body; # and the name of a path parameter; ? and a JSON pointer into the query; or an XPath into an XML document.',
          ),
          detail: boundedText('What is wrong there.'),
          rule: Type.Optional(boundedText('The rule of a standard that a document breaks.')),
          term: Type.Optional(boundedText('The term of the standard.')),
          found: Type.Optional(boundedText('The value found.')),
          expected: Type.Optional(boundedText('The value expected.')),
        }),
        { maxItems: problemLimits.errors, description: 'Every issue of the request.' },
      ),
    ),
  },
  { $id: 'Problem', description: 'An answer other than success (RFC 9457).' },
);

export const headerText = { type: 'string', maxLength: maxHeaderBytes };
const seconds = { type: 'integer', minimum: 0 };

/** Error responses of every operation; 404 only where a resource can be missing. */
export const problems: Record<number, { description: string; headers?: Record<string, string> }> = {
  400: { description: 'The path or the body is not valid; every issue is named.' },
  401: {
    description: 'The required and valid bearer token was not included.',
    headers: {
      'WWW-Authenticate': 'Bearer, with the realm; error="invalid_token" when a token was sent.',
    },
  },
  403: {
    description:
      'Access to the requested asset provider has been rejected, or the role of the token does not permit the operation; ' +
      'WWW-Authenticate then has error="insufficient_scope".',
  },
  404: { description: 'It does not exist, or it belongs to another asset provider.' },
  408: { description: 'The body did not come in time.' },
  413: { description: 'The body is larger than 1 MiB.' },
  415: { description: 'The body is not JSON in UTF-8.' },
  422: {
    description: `The page has more than ${maxAnswerBytes / 1_048_576} MiB: ask for a smaller one with pageSize.`,
  },
  429: {
    description:
      'The client or the asset provider sends more than it may. Where limits are set, RateLimit-Policy and RateLimit ' +
      'tell them and what remains, also with a success (draft-ietf-httpapi-ratelimit-headers).',
    headers: { 'Retry-After': 'Seconds after which to try again.' },
  },
  503: {
    description: 'The service cannot answer right now, or the search takes too long.',
    headers: { 'Retry-After': 'Seconds after which to try again.' },
  },
};

export const problemResponses = Object.fromEntries(
  Object.entries(problems).map(([status, { description, headers }]) => [
    responseName(status),
    problemResponse(description, headers),
  ]),
);

export function problemResponse(description: string, headers?: Record<string, string>) {
  return {
    description,
    headers: {
      'X-Request-Id': { $ref: '#/components/headers/RequestId' },
      ...headerObjects(headers),
    },
    content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
  };
}

export function headerObjects(headers: Record<string, string> = {}) {
  return Object.fromEntries(
    Object.entries(headers).map(([name, description]) => [
      name,
      { description, schema: name === 'Retry-After' ? seconds : headerText },
    ]),
  );
}

export function responseName(status: string): string {
  return (STATUS_CODES[status] ?? status).replaceAll(/[^A-Za-z]/g, '');
}
