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
const ajv = new Ajv2020({ strict: false, allErrors: true, formats });
ajv.addSchema(document, 'openapi.json');
const validators = new Map<string, ValidateFunction>();

// As in the router, literal segments take precedence over parameters.
const templates = Object.keys(document.paths)
  .map((path) => ({ path, segments: path.split('/') }))
  .sort((a, b) => a.path.split('{').length - b.path.split('{').length);

/** Fails when an answer of any status does not conform to the OpenAPI document. */
export function requireContract(method: string, path: string, answer: Answer): void {
  const where = `${method} ${path.slice(0, 200)} answered ${answer.status}`;
  const promised = promisedResponses(method, path);
  const at = promised
    ? resolve(`${promised.pointer}/${answer.status}`)
    : '/components/responses/BadRequest';
  const response = valueAt(at) as Response | undefined;
  if (!response || (!promised && answer.status < 400))
    throw new Error(`${where}, which the document does not promise`);
  for (const [name, header] of Object.entries(response.headers ?? {})) {
    const value = answer.headers[name.toLowerCase()];
    const schema = header.$ref ? header.$ref.slice(1) : `${at}/headers/${escapeKey(name)}`;
    const { type } = valueAt(`${schema}/schema`) as { type?: string };
    const read = type === 'integer' ? Number(value) : value;
    requireValid(`${schema}/schema`, read, `${where}: the header ${name}`);
  }
  if (method !== 'HEAD') requireContent(at, response.content, answer, where);
}

function requireContent(
  at: string,
  content: Response['content'],
  answer: Answer,
  where: string,
): void {
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
  const $ref = `openapi.json#${pointer.split('/').map(encodeURIComponent).join('/')}`;
  const validate = validators.get($ref) ?? ajv.compile({ $ref });
  validators.set($ref, validate);
  if (!validate(value)) throw new Error(`${where}: ${ajv.errorsText(validate.errors)}`);
}

/** The pointer of the responses of the requested operation, if it is one. */
function promisedResponses(method: string, path: string): { pointer: string } | undefined {
  const [pathname = ''] = path.split('?', 1);
  const segments = pathname.split('/');
  const name = (method === 'HEAD' ? 'GET' : method).toLowerCase();
  // As in the router, a path that cannot be decoded is of no operation.
  const template = isDecodable(pathname)
    ? templates.find((one) => matches(one.segments, segments))
    : undefined;
  if (!template || !document.paths[template.path]?.[name]) return undefined;
  return { pointer: `/paths/${escapeKey(template.path)}/${name}/responses` };
}

function isDecodable(path: string): boolean {
  try {
    return decodeURIComponent(path) !== '';
  } catch {
    return false;
  }
}

function matches(pattern: readonly string[], segments: readonly string[]): boolean {
  return (
    pattern.length === segments.length &&
    pattern.every((part, index) => part.startsWith('{') || part === segments[index])
  );
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
