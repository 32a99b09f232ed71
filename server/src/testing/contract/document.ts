import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { describeInterface } from '../../app.ts';
import { formats } from '../../platform/http/formats.ts';
import type { Answer } from '../http-client.ts';

type Reference = { $ref?: string };
type Response = Reference & {
  headers?: Record<string, Reference>;
  content?: Record<string, unknown>;
};
type Document = {
  paths: Record<string, Record<string, { responses?: Record<string, Response> }>>;
};

const document = describeInterface() as Document;
// Each answer is validated a few times: code that is not optimised is generated in less than it saves.
const ajv = new Ajv2020({ strict: false, allErrors: true, formats, code: { optimize: false } });
ajv.addSchema(document, 'openapi.json');
const validators = new Map<string, ValidateFunction>();

type Template = { path: string; segments: string[] };

// As in the router, literal segments take precedence over parameters.
const templates = Map.groupBy(
  Object.keys(document.paths)
    .map((path): Template => ({ path, segments: path.split('/') }))
    .sort((a, b) => a.path.split('{').length - b.path.split('{').length),
  ({ segments }) => segments.length,
);

type Promised = {
  /** The pointer of the response. */
  at: string;
  content: Response['content'];
  headers: { name: string; schema: string; isInteger: boolean }[];
};

const promisedByStatus = new Map<string, Promised | undefined>();

/** Fails when an answer of any status does not conform to the OpenAPI document. */
export function requireContract(method: string, path: string, answer: Answer): void {
  const where = `${method} ${path.slice(0, 200)} answered ${answer.status}`;
  const promised = promisedAnswer(promisedResponses(method, path), answer.status);
  if (!promised) throw new Error(`${where}, which the document does not promise`);
  for (const { name, schema, isInteger } of promised.headers) {
    const value = answer.headers[name.toLowerCase()];
    requireValid(schema, isInteger ? Number(value) : value, `${where}: the header ${name}`);
  }
  if (method !== 'HEAD') requireContent(promised, answer, where);
}

/** What is promised for a status: looked up once, as thousands of answers are held against it. */
function promisedAnswer(responses: string | undefined, status: number): Promised | undefined {
  const key = `${responses} ${status}`;
  if (!promisedByStatus.has(key)) promisedByStatus.set(key, findPromised(responses, status));
  return promisedByStatus.get(key);
}

/** Whatever is no operation is answered as a bad request is. */
function findPromised(responses: string | undefined, status: number): Promised | undefined {
  if (responses === undefined && status < 400) return undefined;
  const at =
    responses === undefined
      ? '/components/responses/BadRequest'
      : resolve(`${responses}/${status}`);
  const response = valueAt(at) as Response | undefined;
  if (!response) return undefined;
  const headers = Object.entries(response.headers ?? {}).map(([name, { $ref }]) => {
    const schema = `${$ref ? $ref.slice(1) : `${at}/headers/${escapeKey(name)}`}/schema`;
    return { name, schema, isInteger: (valueAt(schema) as { type?: string }).type === 'integer' };
  });
  return { at, content: response.content, headers };
}

function requireContent({ at, content }: Promised, answer: Answer, where: string): void {
  const types = Object.keys(content ?? {});
  const sent = String(answer.headers['content-type'] ?? '').split(';', 1)[0];
  if (types.length === 0) {
    if (answer.text !== '') throw new Error(`${where} with content that is not promised`);
    return;
  }
  if (types.includes('*/*')) return;
  if (sent === undefined || !types.includes(sent))
    throw new Error(`${where} as ${sent || 'nothing'} instead of ${types.join(' or ')}`);
  // Bytes have no schema that tells anything of them.
  if (!sent.endsWith('json')) return;
  requireValid(`${at}/content/${escapeKey(sent)}/schema`, answer.json, where);
}

function requireValid(pointer: string, value: unknown, where: string): void {
  let validate = validators.get(pointer);
  if (!validate) {
    const $ref = `openapi.json#${pointer.split('/').map(encodeURIComponent).join('/')}`;
    validate = ajv.compile({ $ref });
    validators.set(pointer, validate);
  }
  if (!validate(value)) throw new Error(`${where}: ${ajv.errorsText(validate.errors)}`);
}

/** The pointer of the responses of the requested operation, if it is one. */
function promisedResponses(method: string, path: string): string | undefined {
  const [pathname = ''] = path.split('?', 1);
  const segments = pathname.split('/');
  const name = (method === 'HEAD' ? 'GET' : method).toLowerCase();
  // As in the router, a path that cannot be decoded is of no operation.
  const template = isDecodable(pathname)
    ? templates.get(segments.length)?.find((one) => matches(one.segments, segments))
    : undefined;
  if (!template || !document.paths[template.path]?.[name]) return undefined;
  return `/paths/${escapeKey(template.path)}/${name}/responses`;
}

function isDecodable(path: string): boolean {
  try {
    return decodeURIComponent(path) !== '';
  } catch {
    return false;
  }
}

function matches(pattern: readonly string[], segments: readonly string[]): boolean {
  return pattern.every((part, index) => part.startsWith('{') || part === segments[index]);
}

function resolve(pointer: string): string {
  return (valueAt(pointer) as Reference | undefined)?.$ref?.slice(1) ?? pointer;
}

function valueAt(pointer: string): unknown {
  let value: unknown = document;
  for (const part of pointer.split('/').slice(1)) {
    const key = part.replaceAll('~1', '/').replaceAll('~0', '~');
    value = (value as Record<string, unknown> | undefined)?.[key];
  }
  return value;
}

function escapeKey(key: string): string {
  return key.replaceAll('~', '~0').replaceAll('/', '~1');
}
