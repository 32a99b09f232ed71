import {
  type Document,
  type DocumentedOperation,
  type Parameter,
  resolveParameter,
  resolveSchema,
  type Schema,
} from './document.ts';
import { groups, leftOut } from './operation-names.ts';
import { comment, typeOf } from './schema-types.ts';

const base = '/api/fleets/v1/{assetProviderCountryCode}/{assetProviderCode}';

type Route = { method: string; path: string; operation: DocumentedOperation };

/** The classes of the groups, with one method for each operation of the document. */
export function operationMethods(document: Document): string {
  const routes = routesById(document);
  const types = new Set<string>(['AnnouncedFile']);
  const classes = Object.entries(groups).map(([group, { description, methods }]) => {
    const members = Object.entries(methods).map(([name, id]) => {
      const route = routes.get(id);
      if (!route) throw new Error(`${id} is not an operation of the document`);
      return writeMethod(document, name, route, types);
    });
    if (methods.announceFile) members.push(writeAddFile(routes.get(methods.announceFile)));
    return [
      comment(description),
      `export class ${className(group)} {\n`,
      '  readonly #transport: Transport;\n\n',
      '  constructor(transport: Transport) {\n    this.#transport = transport;\n  }\n\n',
      members.join('\n'),
      '}\n',
    ].join('');
  });
  refuseForgotten(routes);
  return [
    `import type { ${[...types].sort().join(', ')} } from './schemas.ts';\n`,
    `import { path, type CallOptions, type Content, type Transport } from '../transport.ts';\n`,
    `import type { SearchResults } from '../search-results.ts';\n\n`,
    classes.join('\n'),
    `\n${writeRoot()}`,
  ].join('');
}

function routesById(document: Document): Map<string, Route> {
  const routes = new Map<string, Route>();
  for (const [path, operations] of Object.entries(document.paths))
    for (const [method, operation] of Object.entries(operations))
      if (operation.operationId)
        routes.set(operation.operationId, { method: method.toUpperCase(), path, operation });
  return routes;
}

function refuseForgotten(routes: ReadonlyMap<string, Route>): void {
  const named = new Set([
    ...leftOut,
    ...Object.values(groups).flatMap(({ methods }) => Object.values(methods)),
  ]);
  const forgotten = [...routes.keys()].filter((id) => !named.has(id));
  if (forgotten.length > 0)
    throw new Error(`client/codegen/operation-names.ts does not name ${forgotten.join(', ')}`);
}

function writeMethod(
  document: Document,
  name: string,
  { method, path, operation }: Route,
  types: Set<string>,
): string {
  const use = (schema: Schema) => {
    const type = typeOf(schema);
    for (const [word] of type.matchAll(/[A-Z]\w+/g))
      if (word in document.components.schemas) types.add(word);
    return type;
  };
  const parameters = (operation.parameters ?? []).map((one) => resolveParameter(document, one));
  const options = parameters.filter((one) => one.in !== 'path' && !isIdempotencyKey(one));
  const result = resultOf(document, operation, use);
  const body = bodyOf(operation, use);
  const pathParameters = parametersOf(path);
  // Streams are opened by URL, so that lists are joined by commas there.
  const list = result.kind === 'events' ? ' | readonly string[]' : '';
  const optionTypes = options.map(
    (one) => `${optionName(one)}?: ${one.schema ? use(one.schema) : 'string'}${list}`,
  );
  const optionsType = optionTypes.length
    ? `CallOptions & { ${optionTypes.join('; ')} }`
    : 'CallOptions';
  const signature = [
    ...pathParameters.map((one) => `${one}: string`),
    ...(body ? [`${body.name}${body.required ? '' : '?'}: ${body.type}`] : []),
    `options: ${optionsType} = {}`,
  ];
  const inQuery = options.filter((one) => one.in === 'query');
  const inHeader = options.filter((one) => one.in === 'header');
  const call = [
    `method: '${method}'`,
    `path: path\`${path.slice(base.length).replace(/\{(\w+)\}/g, (_, name) => `\${${name}}`)}\``,
    ...(inQuery.length ? [`query: { ${inQuery.map(optionEntry).join(', ')} }`] : []),
    ...(inHeader.length ? [`headers: { ${inHeader.map(optionEntry).join(', ')} }`] : []),
    ...(body ? [body.entry] : []),
    ...(parameters.some(isIdempotencyKey) ? ['isKeyed: true'] : []),
    ...(result.kind === 'search' ? ['isSafe: true'] : []),
  ];
  const about = [operation.summary && `${operation.summary}.`, operation.description]
    .filter(Boolean)
    .join('\n\n');
  const notes = options.map((one) => `@param options.${optionName(one)} ${one.description ?? ''}`);
  return [
    comment([about.replace('..', '.'), ...(notes.length ? ['', ...notes] : [])].join('\n'), '  '),
    `  ${name}(${signature.join(', ')}): ${result.type} {\n`,
    `    return this.#transport.${result.kind}({ ${call.join(', ')} }, options);\n`,
    '  }\n',
  ].join('');
}

const parametersOf = (path: string) =>
  [...path.slice(base.length).matchAll(/\{(\w+)\}/g)].map(([, name]) => name);

function writeAddFile(announce: Route | undefined): string {
  const parameters = parametersOf(announce?.path ?? '');
  const signature = parameters.map((name) => `${name}: string, `).join('');
  const given = parameters.map((name) => `${name}, `).join('');
  return [
    '\n  /** Announces a file and uploads its content. */\n',
    `  async addFile(${signature}file: AnnouncedFile, content: Content, options: CallOptions = {}) {\n`,
    `    const { uuid } = await this.announceFile(${given}file, options);\n`,
    `    return this.uploadFile(${given}uuid, content, options);\n`,
    '  }\n',
  ].join('');
}

type Result = { kind: 'search' | 'json' | 'empty' | 'response' | 'events'; type: string };

function resultOf(
  document: Document,
  { responses }: DocumentedOperation,
  use: (schema: Schema) => string,
): Result {
  const successes = Object.entries(responses).filter(([status]) => status.startsWith('2'));
  const contents = successes.map(([, response]) => response.content);
  const schemas = contents.flatMap((content) => content?.['application/json']?.schema ?? []);
  const [schema] = schemas;
  if (schema) {
    const page = pageOf(document, schema);
    if (page) return { kind: 'search', type: `SearchResults<${page.map(use).join(', ')}>` };
    const isOptional = schemas.length < successes.length;
    return { kind: 'json', type: `Promise<${use(schema)}${isOptional ? ' | undefined' : ''}>` };
  }
  if (contents.some((content) => content?.['text/event-stream']))
    return { kind: 'events', type: `AsyncGenerator<${use(eventSchema)}, void, undefined>` };
  const isEmpty = contents.every((content) => content === undefined);
  return isEmpty
    ? { kind: 'empty', type: 'Promise<void>' }
    : { kind: 'response', type: 'Promise<Response>' };
}

/** What a page has items of, and where it is, unless that is the number of a page; none where the answer is no page. */
function pageOf(document: Document, schema: Schema): Schema[] | undefined {
  const { items, pagination } = resolveSchema(document, schema).properties ?? {};
  if (!items?.items || !pagination) return undefined;
  return pagination.$ref?.endsWith('/Pagination') ? [items.items] : [items.items, pagination];
}

/** What streams of events send. */
const eventSchema: Schema = { $ref: '#/components/schemas/StreamedEvent' };

function bodyOf({ requestBody }: DocumentedOperation, use: (schema: Schema) => string) {
  if (!requestBody) return undefined;
  const schema = requestBody.content['application/json']?.schema;
  if (!schema) return { name: 'content', type: 'Content', required: true, entry: 'content' };
  const required = requestBody.required === true;
  return { name: 'body', type: use(schema), required, entry: 'body' };
}

/** An option of every call. */
const isIdempotencyKey = ({ name }: Parameter) => name.toLowerCase() === 'idempotency-key';

/** In camel case: a header such as Last-Event-ID is `lastEventId`. */
const optionName = ({ name }: Parameter) =>
  name
    .replace(/-(\w)(\w*)/g, (_, first, rest) => first.toUpperCase() + rest.toLowerCase())
    .replace(/^[A-Z]/, (letter) => letter.toLowerCase());

const optionEntry = (one: Parameter) => {
  const key = /^\w+$/.test(one.name) ? one.name : `'${one.name}'`;
  return `${key}: options.${optionName(one)}`;
};

const className = (group: string) => `${group[0]?.toUpperCase()}${group.slice(1)}Api`;

function writeRoot(): string {
  const names = Object.keys(groups);
  const fields = names.map(
    (name) =>
      `${comment(groups[name]?.description, '  ')}  readonly ${name}: ${className(name)};\n`,
  );
  const assignments = names.map(
    (name) => `    this.${name} = new ${className(name)}(transport);\n`,
  );
  return [
    '/** All operations, in groups. */\nexport class Operations {\n',
    fields.join(''),
    '\n  constructor(transport: Transport) {\n',
    assignments.join(''),
    '  }\n}\n',
  ].join('');
}
