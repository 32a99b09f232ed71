import { type Answer, send } from './http-client.ts';

type Parameter = { name: string; in: string; example?: unknown; schema: { examples?: unknown[] } };
type Content = Record<string, { example?: unknown; examples?: Record<string, { value: unknown }> }>;
type DescribedOperation = {
  operationId: string;
  parameters?: { $ref: string }[];
  requestBody?: { content: Content };
  responses: object;
};
type Path = Record<string, DescribedOperation> & { parameters?: { $ref: string }[] };

export type OpenApiDocument = {
  paths: Record<string, Path>;
  components: { parameters: Record<string, Parameter> };
};

export type ExampleRequest = {
  operationId: string;
  method: string;
  path: string;
  /** The names of the parameters in the path. */
  parameters: string[];
  body: unknown;
  /** Whether it makes what its path names. */
  creates: boolean;
};

/** A request for every example of the document: of the body, and of the parameters of path and query. */
export function exampleRequests({ paths, components }: OpenApiDocument): ExampleRequest[] {
  const resolve = ({ $ref }: { $ref: string }) =>
    components.parameters[$ref.split('/').at(-1) ?? ''] as Parameter;
  const fleetPaths = Object.entries(paths).filter(([path]) => path.startsWith('/api/'));
  return fleetPaths.flatMap(([template, { parameters: shared = [], ...operations }]) =>
    Object.entries(operations).flatMap(
      ([method, { operationId, parameters = [], requestBody, responses }]) => {
        const resolved = [...shared, ...parameters].map(resolve);
        const ofPath = resolved.filter((parameter) => parameter.in === 'path');
        const query = resolved
          .filter((parameter) => parameter.in === 'query')
          .flatMap(({ name, schema }) =>
            (schema.examples ?? []).map((value) => `${name}=${value}`),
          );
        const path = ofPath.reduce(
          (result, { name, example }) => result.replace(`{${name}}`, String(example)),
          template,
        );
        return bodiesOf(requestBody?.content).map((body) => ({
          operationId,
          method: method.toUpperCase(),
          path: [path, query.join('&')].filter(Boolean).join('?'),
          parameters: ofPath.map(({ name }) => name),
          body,
          creates: method === 'put' && '201' in responses,
        }));
      },
    ),
  );
}

/** None for bytes; one without a body where none is sent. */
function bodiesOf(content: Content | undefined): unknown[] {
  if (content === undefined) return [undefined];
  const { example, examples = {} } = content['application/json'] ?? {};
  return example === undefined ? Object.values(examples).map(({ value }) => value) : [example];
}

export function sendExample(
  url: string,
  token: string,
  { method, path, body }: ExampleRequest,
): Promise<Answer> {
  return send(url, {
    method,
    path,
    body: body === undefined ? undefined : JSON.stringify(body),
    headers: {
      authorization: `Bearer ${token}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
  });
}
