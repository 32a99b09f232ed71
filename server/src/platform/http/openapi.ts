import { STATUS_CODES } from 'node:http';
import Type from 'typebox';
import { searchLimits } from '../search/limits.ts';
import { maxMessageBytes } from './batch.ts';
import { maxAnswerBytes } from './large-json.ts';
import { basePath, type Operation } from './operation.ts';

const ProblemSchema = Type.Object(
  {
    type: Type.String({
      description: 'The kind of problem.',
      examples: ['urn:motorpool:problem:invalid-body'],
    }),
    title: Type.String({ description: 'The kind of problem in words.' }),
    status: Type.Integer({ description: 'The status of the answer.' }),
    detail: Type.Optional(Type.String({ description: 'What is wrong this time.' })),
    instance: Type.Optional(Type.String({ description: 'The path of the request.' })),
    requestId: Type.String({
      description: 'The id of the request, also in the header X-Request-Id and in the log.',
    }),
    errors: Type.Optional(
      Type.Array(
        Type.Object({
          pointer: Type.String({
            description:
              'JSON pointer into the body; # and the name of a path parameter; ? and a JSON pointer into the query; or an XPath into an XML document.',
          }),
          detail: Type.String(),
          rule: Type.Optional(
            Type.String({ description: 'The rule of a standard that a document breaks.' }),
          ),
          term: Type.Optional(Type.String({ description: 'The term of the standard.' })),
          found: Type.Optional(Type.String({ description: 'The value found.' })),
          expected: Type.Optional(Type.String({ description: 'The value expected.' })),
        }),
        { description: 'Every issue of the request.' },
      ),
    ),
  },
  { $id: 'Problem', description: 'An answer other than success (RFC 9457).' },
);

// OpenAPI allows no variables here: the demo's realm is an example.
const tokenPath = '/realms/DE-ABC/protocol/openid-connect';
const scopes = { openid: 'The fleet interface of the realm’s asset provider.' };

export type DocumentInfo = {
  version: string;
  description: string;
  tags: { name: string; description: string }[];
  /** OpenAPI path items in addition to the operations. */
  paths: Record<string, Record<string, unknown>>;
  schemas: Record<string, unknown>;
};

/** The OpenAPI 3.1 document of the operations. */
export function openApiDocument(operations: readonly Operation<never>[], info: DocumentInfo) {
  const schemas: Record<string, unknown> = { ...info.schemas };
  const component = (schema: unknown) => hoist(schema, schemas);
  const paths: Record<string, Record<string, unknown>> = { ...info.paths };
  for (const operation of operations) {
    const path = basePath + operation.path;
    paths[path] ??= { parameters: codeParameters };
    paths[path][operation.method.toLowerCase()] = operationObject(operation, component);
  }
  component(ProblemSchema);
  return {
    openapi: '3.1.0',
    info: {
      title: 'Motorpool fleet interface',
      version: info.version,
      description: info.description,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/', description: 'This service' }],
    security: [{ oauth: ['openid'] }],
    tags: info.tags,
    paths,
    components: {
      schemas: Object.fromEntries(Object.entries(schemas).sort(([a], [b]) => (a < b ? -1 : 1))),
      responses: problemResponses,
      headers: {
        RequestId: {
          description:
            'The id of the request: the one that was sent in X-Request-Id, or a new one.',
          schema: { type: 'string', pattern: '^[A-Za-z0-9_-]{1,64}$' },
        },
      },
      securitySchemes: {
        oauth: {
          type: 'oauth2',
          description:
            'DE-ABC stands for the realm of the asset provider: its country code, a hyphen and its code. Tokens live 5 minutes.',
          flows: {
            clientCredentials: { tokenUrl: `${tokenPath}/token`, scopes },
            authorizationCode: {
              authorizationUrl: `${tokenPath}/auth`,
              tokenUrl: `${tokenPath}/token`,
              scopes,
            },
          },
        },
      },
    },
  };
}

const codeParameters = [
  {
    name: 'assetProviderCountryCode',
    in: 'path',
    required: true,
    description: 'Country code of the asset provider.',
    schema: { type: 'string', minLength: 2, maxLength: 2 },
    example: 'DE',
  },
  {
    name: 'assetProviderCode',
    in: 'path',
    required: true,
    description: 'Code of the asset provider.',
    schema: { type: 'string', minLength: 3, maxLength: 3 },
    example: 'ABC',
  },
];

/** Error responses of every operation; 404 only where a resource can be missing. */
const problems: Record<number, { description: string; headers?: Record<string, string> }> = {
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

const problemResponses = Object.fromEntries(
  Object.entries(problems).map(([status, { description, headers }]) => [
    responseName(status),
    problemResponse(description, headers),
  ]),
);

function problemResponse(description: string, headers?: Record<string, string>) {
  return {
    description,
    headers: {
      'X-Request-Id': { $ref: '#/components/headers/RequestId' },
      ...headerObjects(headers),
    },
    content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
  };
}

function headerObjects(headers: Record<string, string> = {}) {
  return mapValues(headers, (description) => ({ description, schema: { type: 'string' } }));
}

function responseName(status: string): string {
  return (STATUS_CODES[status] ?? status).replaceAll(/[^A-Za-z]/g, '');
}

function operationObject(operation: Operation<never>, component: (schema: unknown) => unknown) {
  const { body, batch, upload, responses } = operation;
  const canBeMissing = operation.notFound.length > 0;
  const takesBody = operation.method !== 'GET';
  const failures = Object.keys(problems).filter(
    (status) =>
      (status !== '404' || canBeMissing) &&
      (!['413', '415'].includes(status) || takesBody) &&
      (status !== '422' || answersPage(operation)),
  );
  const parameters = parametersOf(operation, component);
  return {
    operationId: operation.id,
    tags: [operation.tag],
    summary: operation.summary,
    description: operation.description,
    'x-motorpool-origin': operation.origin,
    'x-motorpool-role': operation.role,
    ...(parameters.length > 0 && { parameters }),
    ...(body && {
      requestBody: {
        required: body.required,
        content: {
          'application/json': { schema: component(body.schema), examples: body.examples },
        },
      },
    }),
    ...(batch && {
      requestBody: {
        required: true,
        description:
          `At most ${batch.maxMessages} messages in ${batch.maxBytes / 1_048_576} MiB, each of at most ` +
          `${maxMessageBytes / 1_024} KiB: a JSON array, or a message a line.`,
        content: {
          'application/json': {
            schema: {
              type: 'array',
              items: component(batch.schema),
              maxItems: batch.maxMessages,
            },
            example: batch.example,
          },
          'application/x-ndjson': {
            schema: { type: 'string' },
            example: batch.example.map((one) => `${JSON.stringify(one)}\n`).join(''),
          },
        },
      },
    }),
    ...(upload && {
      requestBody: {
        required: true,
        description: upload.description,
        content: binaryContent(upload.mediaTypes),
      },
    }),
    responses: {
      ...mapValues(responses, ({ description, schema, example, bytes, headers }) => ({
        description,
        headers: {
          'X-Request-Id': { $ref: '#/components/headers/RequestId' },
          ...headerObjects(headers),
        },
        ...(schema && {
          content: { [mediaTypeOf(operation)]: { schema: component(schema), example } },
        }),
        ...(bytes && { content: binaryContent(bytes === true ? undefined : bytes) }),
      })),
      ...Object.fromEntries(
        failures.map((status) => [
          status,
          { $ref: `#/components/responses/${responseName(status)}` },
        ]),
      ),
      ...(operation.workload === 'search' &&
        takesBody && {
          413: problemResponse(`The body is larger than ${searchLimits.bodyBytes / 1_024} KiB.`),
        }),
      // Last: an operation's own description of a status replaces the general one.
      ...mapValues(operation.problems ?? {}, (description) => problemResponse(description)),
    },
  };
}

function mediaTypeOf({ stream }: Operation<never>): string {
  return stream ? 'text/event-stream' : 'application/json';
}

function binaryContent(mediaTypes: readonly string[] = ['*/*']) {
  const schema = { type: 'string', format: 'binary' };
  return Object.fromEntries(mediaTypes.map((type) => [type, { schema }]));
}

/** Whether it is a list or a search. */
function answersPage({ responses }: Operation<never>): boolean {
  const { properties = {} } = (responses[200]?.schema ?? {}) as { properties?: object };
  return 'items' in properties && 'pagination' in properties;
}

function parametersOf(operation: Operation<never>, component: (schema: unknown) => unknown) {
  const inPath = Object.entries(operation.parameters).map(([name, { description, example }]) => ({
    name,
    in: 'path',
    required: true,
    description,
    schema: { type: 'string' },
    example,
  }));
  const inQuery = Object.entries(operation.query?.schema.properties ?? {}).map(([name, schema]) => {
    const { description } = schema as { description?: string };
    const isJson = (schema as { type?: string }).type === 'array';
    const described = component(schema);
    return {
      name,
      in: 'query',
      description,
      ...(isJson
        ? { content: { 'application/json': { schema: described } } }
        : { schema: described }),
    };
  });
  const inHeader = Object.entries(operation.requestHeaders ?? {}).map(([name, description]) => ({
    name,
    in: 'header',
    description,
    schema: { type: 'string' },
  }));
  return [...inPath, ...inQuery, ...inHeader];
}

function mapValues<Value>(record: Record<string, Value>, map: (value: Value) => unknown) {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, map(value)]));
}

/** Moves every named schema to the components and replaces it by a reference. */
function hoist(schema: unknown, named: Record<string, unknown>): unknown {
  if (Array.isArray(schema)) return schema.map((one) => hoist(one, named));
  if (typeof schema !== 'object' || schema === null) return schema;
  const { $id, ...rest } = schema as Record<string, unknown>;
  const hoisted = Object.fromEntries(
    Object.entries(rest).map(([key, value]) => [key, hoist(value, named)]),
  );
  if (typeof $id !== 'string') return hoisted;
  const known = named[$id];
  if (known !== undefined && JSON.stringify(known) !== JSON.stringify(hoisted)) {
    throw new Error(`two schemas go by the name ${$id}`);
  }
  named[$id] = hoisted;
  return { $ref: `#/components/schemas/${$id}` };
}
