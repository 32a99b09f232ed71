import { searchLimits } from '../search/limits.ts';
import { maxMessageBytes } from './batch.ts';
import {
  headerObjects,
  headerText,
  ProblemSchema,
  problemResponse,
  problemResponses,
  problems,
  responseName,
} from './document-problems.ts';
import {
  type Components,
  describeParameter,
  describeSchema,
  type Parameter,
  withDefaultInWords,
} from './document-schema.ts';
import { guidesPath } from './guides.ts';
import { maxKeyLength, takesIdempotencyKey } from './idempotency/idempotency-key.ts';
import { basePath, type Operation } from './operation.ts';

// OpenAPI allows no variables here: the demo's realm is an example.
const tokenPath = '/realms/DE-ABC/protocol/openid-connect';
const scopes = { openid: 'The fleet interface of the realm’s asset provider.' };

export type DocumentInfo = {
  version: string;
  description: string;
  contact: { name: string };
  tags: { name: string; description: string }[];
  /** OpenAPI path items and components in addition to those of the operations. */
  paths: Record<string, Record<string, unknown>>;
  components: Components;
};

/** The OpenAPI 3.1 document of the operations. */
export function openApiDocument(operations: readonly Operation<never>[], info: DocumentInfo) {
  const schemas = { ...info.components.schemas };
  const parameters = { ...info.components.parameters };
  const components = { schemas, parameters };
  const codes = codeParameters.map((one) => describeParameter(one, '', components));
  const paths: Record<string, Record<string, unknown>> = { ...info.paths };
  for (const operation of operations) {
    const path = basePath + operation.path;
    paths[path] ??= { parameters: codes };
    paths[path][operation.method.toLowerCase()] = operationObject(operation, components);
  }
  describeSchema(ProblemSchema, schemas);
  return {
    openapi: '3.1.0',
    info: {
      title: 'Motorpool fleet interface',
      version: info.version,
      description: info.description,
      contact: info.contact,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    externalDocs: { description: 'Guides for integrators', url: guidesPath },
    servers: [{ url: '/', description: 'This service' }],
    security: [{ oauth: ['openid'] }],
    tags: info.tags,
    paths,
    components: {
      schemas: sorted(schemas),
      parameters: sorted(parameters),
      responses: problemResponses,
      headers: {
        RequestId: {
          description:
            'The id of the request: the one that was sent in X-Request-Id, or a new one.',
          schema: { type: 'string', maxLength: 64, pattern: '^[A-Za-z0-9_-]{1,64}$' },
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

const codeParameters: Parameter[] = [
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

const idempotencyKeyParameter: Parameter = {
  name: 'Idempotency-Key',
  in: 'header',
  description:
    'A text of your choice, such as a UUID, by which the request can be sent again without being executed again: for 24 hours, the same ' +
    'request with the same key gets the same answer, marked by the header Idempotency-Replayed. Answers of 429 and 5xx are not kept. A key ' +
    'belongs to the client, the person and the operation (draft-ietf-httpapi-idempotency-key-header).',
  schema: { type: 'string', minLength: 1, maxLength: maxKeyLength },
  example: '8e03978e-40d5-43dd-bc93-6894a57f9324',
};

/** What an Idempotency-Key adds to the errors of an operation. */
const idempotencyProblems: Record<number, string> = {
  409: 'A request with the same Idempotency-Key is being processed.',
  422: 'Another request was sent under the Idempotency-Key, or the answer is too large to be kept.',
};

function operationObject(operation: Operation<never>, components: Components) {
  const { body, batch, upload, responses } = operation;
  const canBeMissing = operation.notFound.length > 0;
  const takesBody = operation.method !== 'GET';
  const failures = Object.keys(problems).filter(
    (status) =>
      (status !== '404' || canBeMissing) &&
      (!['408', '413', '415'].includes(status) || takesBody) &&
      (status !== '422' || answersPage(operation)),
  );
  const component = (schema: unknown) => describeSchema(schema, components.schemas);
  const parameters = parametersOf(operation).map((one) =>
    describeParameter(one, operation.tag, components),
  );
  const isConditional = answersNotModified(operation);
  return {
    operationId: operation.id,
    tags: [operation.tag, ...(operation.furtherTags ?? [])],
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
            schema: { type: 'string', maxLength: batch.maxBytes },
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
      ...(isConditional && { 304: notModified }),
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
      ...mapValues(ownProblems(operation), (description) => problemResponse(description)),
    },
  };
}

function ownProblems(operation: Operation<never>): Record<number, string> {
  const { problems: own = {} } = operation;
  if (!takesIdempotencyKey(operation)) return own;
  const added = Object.entries(idempotencyProblems).map(([status, description]) => [
    status,
    [own[Number(status)], description].filter(Boolean).join(' '),
  ]);
  return { ...own, ...Object.fromEntries(added) };
}

/** Whether it reads what has an ETag, and leaves the condition to the route. */
function answersNotModified({ method, responses }: Operation<never>): boolean {
  return method === 'GET' && 'ETag' in (responses[200]?.headers ?? {}) && !(304 in responses);
}

const notModified = {
  description: 'It is as If-None-Match names it.',
  headers: {
    'X-Request-Id': { $ref: '#/components/headers/RequestId' },
    ...headerObjects({ ETag: 'As with the 200.' }),
  },
};

const ifNoneMatch: Parameter = {
  name: 'If-None-Match',
  in: 'header',
  description: 'ETags of what the client has: 304 when it is one of them.',
  schema: headerText,
};

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

function parametersOf(operation: Operation<never>): Parameter[] {
  const inPath = Object.entries(operation.parameters).map(
    ([name, { description, example, ...schema }]): Parameter => ({
      name,
      in: 'path',
      required: true,
      description,
      schema: { type: 'string', ...schema },
      example,
    }),
  );
  const inQuery = Object.entries(operation.query?.schema.properties ?? {}).map(
    ([name, property]): Parameter => {
      const { description, ...schema } = withDefaultInWords(property);
      return { name, in: 'query', description, schema };
    },
  );
  const inHeader = Object.entries(operation.requestHeaders ?? {}).map(
    ([name, description]): Parameter => ({ name, in: 'header', description, schema: headerText }),
  );
  const inEveryWrite = takesIdempotencyKey(operation) ? [idempotencyKeyParameter] : [];
  const inEveryRead = answersNotModified(operation) ? [ifNoneMatch] : [];
  return [...inPath, ...inQuery, ...inHeader, ...inEveryWrite, ...inEveryRead];
}

function sorted<Value>(record: Record<string, Value>): Record<string, Value> {
  return Object.fromEntries(Object.entries(record).sort(([a], [b]) => (a < b ? -1 : 1)));
}

function mapValues<Value>(record: Record<string, Value>, map: (value: Value) => unknown) {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, map(value)]));
}
