import { describeInterface } from '../../app.ts';

export type Schema = {
  $ref?: string;
  type?: string | string[];
  enum?: unknown[];
  const?: unknown;
  format?: string;
  pattern?: string;
  description?: string;
  minLength?: number;
  maxLength?: number;
  maxProperties?: number;
  propertyNames?: Schema;
  minimum?: number;
  maximum?: number;
  minItems?: number;
  maxItems?: number;
  uniqueItems?: boolean;
  readOnly?: boolean;
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: string[];
  /** In a dictionary: one pattern, that of all names. */
  patternProperties?: Record<string, Schema>;
  additionalProperties?: boolean | Schema;
};

export type Parameter = {
  name: string;
  in: 'path' | 'query' | 'header';
  schema: Schema;
};

export type Content = {
  schema: Schema;
  example?: unknown;
  examples?: Record<string, { value: unknown }>;
};

export type DocumentedOperation = {
  id: string;
  method: string;
  path: string;
  parameters: Parameter[];
  /** By media type. */
  content: Record<string, Content>;
  bodyRequired: boolean;
  /** Whether it asks for a bearer token. */
  secured: boolean;
  /** The schemas of its JSON answers, by status. */
  answers: Record<string, Schema>;
};

type Reference = { $ref: string };

type Item = {
  operationId: string;
  parameters?: (Parameter | Reference)[];
  requestBody?: { required?: boolean; content: DocumentedOperation['content'] };
  security?: unknown[];
  responses: Record<string, { content?: Record<string, Content> }>;
};

const document = describeInterface() as {
  paths: Record<string, Record<string, Item> & { parameters?: (Parameter | Reference)[] }>;
  components: { schemas: Record<string, Schema>; parameters: Record<string, Parameter> };
};

/** What the OpenAPI document says of every operation, the token request included; not of pages for people. */
export const documentedOperations: readonly DocumentedOperation[] = Object.entries(
  document.paths,
).flatMap(([path, { parameters: ofPath = [], ...items }]) =>
  Object.entries(items)
    .filter(isForPrograms)
    .map(([method, item]) => ({
      id: item.operationId,
      method: method.toUpperCase(),
      path,
      parameters: [...ofPath, ...(item.parameters ?? [])].map(parameterOf),
      content: item.requestBody?.content ?? {},
      bodyRequired: item.requestBody?.required ?? false,
      secured: item.security === undefined,
      answers: Object.fromEntries(
        Object.entries(item.responses).flatMap(([status, { content }]) => {
          const schema = content?.['application/json']?.schema;
          return schema ? [[status, schema]] : [];
        }),
      ),
    })),
);

function isForPrograms([, { responses }]: [string, Item]): boolean {
  return Object.entries(responses).some(
    ([status, { content }]) => status.startsWith('2') && !content?.['text/html'],
  );
}

function parameterOf(parameter: Parameter | Reference): Parameter {
  if (!('$ref' in parameter)) return parameter;
  const name = parameter.$ref.slice(parameter.$ref.lastIndexOf('/') + 1);
  const found = document.components.parameters[name];
  if (!found) throw new Error(`the document has no parameter ${name}`);
  return found;
}

export function nameOf({ $ref }: Schema): string | undefined {
  return $ref?.slice($ref.lastIndexOf('/') + 1);
}

export function resolve(schema: Schema): Schema {
  const name = nameOf(schema);
  const named = name === undefined ? schema : document.components.schemas[name];
  if (!named) throw new Error(`the document has no schema ${name}`);
  return named;
}

/** Every schema within a schema, with its path such as `.filters[].value`. */
export function schemasWithin(schema: Schema, at = ''): { at: string; schema: Schema }[] {
  const found = resolve(schema);
  const below = Object.entries(found.properties ?? {}).flatMap(([key, value]) =>
    schemasWithin(value, `${at}.${key}`),
  );
  const items = found.items ? schemasWithin(found.items, `${at}[]`) : [];
  return [{ at, schema: found }, ...items, ...below];
}

/** Every schema that a request of an operation is held against. */
export function requestSchemas({ id, content, parameters }: DocumentedOperation) {
  const bodies = Object.entries(content).filter(([type]) => type === 'application/json');
  const inQuery = parameters.filter((parameter) => parameter.in === 'query');
  return [
    ...bodies.flatMap(([, { schema }]) => schemasWithin(schema, id)),
    ...inQuery.flatMap(({ name, schema }) => schemasWithin(schema, `${id}?${name}`)),
  ];
}

/** The fields that filters or a sorting may name, with the schemas that they have in the items of the answer. */
export function searchFieldsOf({ description = '' }: Schema): {
  field: string;
  schema: Schema | undefined;
}[] {
  const [, fields] = /The fields: (.+)\.$/.exec(description) ?? [];
  if (!fields) throw new Error(`no fields are named by "${description}"`);
  const item = foundItems.get(description);
  return fields.split(', ').map((field) => ({ field, schema: item && schemaAt(item, field) }));
}

/** The items that are found, by the description of the filters and of the sorting. */
const foundItems = new Map(
  documentedOperations.flatMap(({ content, answers }) => {
    const body = content['application/json']?.schema;
    const { filters, sorting } = (body && resolve(body).properties) ?? {};
    const items = answers['200'] && resolve(answers['200']).properties?.items;
    const item = items?.items ?? items?.additionalProperties;
    if (typeof item !== 'object') return [];
    return [filters, sorting].flatMap((one) => (one?.description ? [[one.description, item]] : []));
  }) as [string, Schema][],
);

function schemaAt(schema: Schema, path: string): Schema | undefined {
  let found: Schema | undefined = schema;
  for (const key of path.split('.')) found = found && resolve(found).properties?.[key];
  return found;
}
