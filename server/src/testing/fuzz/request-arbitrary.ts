import fc, { type Arbitrary } from 'fast-check';
import { malformedSegments, queryValues } from '../contract/malformed-input.ts';
import type { Values } from '../contract/seed.ts';
import type { Sent } from '../http-client.ts';
import { type Body, bodyOf } from './body-arbitrary.ts';
import type { DocumentedOperation, Parameter } from './documented-operations.ts';
import { anyCharacter, validValue } from './schema-arbitrary.ts';

/** A request with `<<name>>` where the value of a seeded record is to stand. */
export type GeneratedRequest = {
  operation: string;
  secured: boolean;
  method: string;
  path: string;
  headers: Sent['headers'];
  body: Body | undefined;
};

/** Requests of one operation. */
export function requestOf(operation: DocumentedOperation): Arbitrary<GeneratedRequest> {
  const inPath = operation.parameters.filter((parameter) => parameter.in === 'path');
  const segments = fc.record(
    Object.fromEntries(
      inPath.map((parameter) => [parameter.name, segmentOf(operation, parameter)]),
    ),
  );
  const methods =
    operation.method === 'GET'
      ? fc.constantFrom('GET', 'GET', 'GET', 'HEAD')
      : fc.constant(operation.method);
  return fc
    .tuple(segments, queryOf(operation), headersOf(operation), bodyOf(operation), methods)
    .map(([values, query, headers, body, method]) => {
      const path = operation.path.replaceAll(/\{(\w+)\}/g, (_, name) => values[name] ?? '') + query;
      return {
        operation: operation.id,
        secured: operation.secured,
        // What is refused before its method is known is answered with content, which HEAD has not.
        method: path.length > 8_000 ? operation.method : method,
        path,
        headers: { ...headers, ...(body?.type !== undefined && { 'content-type': body.type }) },
        body,
      };
    });
}

/** The request as it is sent for seeded records. */
export function fillIn(request: GeneratedRequest, values: Values): Sent {
  const fill = (text: string) =>
    text.replaceAll(
      /<<([^<>]+)>>/g,
      (_, name: string) => values[name] ?? values[lastOf(name)] ?? nobody,
    );
  const { method, headers, body } = request;
  // In latin1 every byte stands for itself, whatever it belongs to.
  const bytes = body && Buffer.from(fill(body.bytes.toString('latin1')), 'latin1');
  return { method, path: fill(request.path), headers, body: bytes };
}

const nobody = '00000000-0000-4000-8000-000000000000';

function lastOf(path: string): string {
  return /\{(\w+)\}$/.exec(path)?.[1] ?? '';
}

/** As in the seeds: the name of a parameter, or the whole path where its last one is ambiguous. */
function seededName({ path }: DocumentedOperation, { name }: Parameter): string {
  const below = path.replace(/^.*\{assetProviderCode\}/, '');
  return below.endsWith(`{${name}}`) ? below : name;
}

function segmentOf(operation: DocumentedOperation, parameter: Parameter): Arbitrary<string> {
  const existing = fc.constant(`<<${seededName(operation, parameter)}>>`);
  const isProvider = /^(assetProvider|realm)/.test(parameter.name);
  return fc.oneof(
    { weight: isProvider ? 400 : 40, arbitrary: existing },
    {
      weight: 1,
      arbitrary: fc.constantFrom('DE*ABC*new', 'FR*XYZ*V0001', 'templates', 'messages'),
    },
    { weight: 1, arbitrary: fc.uuid() },
    { weight: 1, arbitrary: fc.constantFrom(...malformedSegments.map(([segment]) => segment)) },
    { weight: 1, arbitrary: fc.string({ maxLength: 40, unit: anyCharacter }).map(segmentText) },
  );
}

/** A segment of its own: an empty one, or one of dots, would be another path. */
function segmentText(text: string): string {
  return /^\.{0,2}$/.test(text) ? '%2E%00' : encodeURIComponent(text);
}

function queryOf({ parameters }: DocumentedOperation): Arbitrary<string> {
  const known = parameters.filter((parameter) => parameter.in === 'query');
  const parts = known.map((parameter) =>
    fc.oneof(
      { weight: 4, arbitrary: fc.constant('') },
      { weight: 3, arbitrary: queryValue(parameter).map((value) => `${parameter.name}=${value}`) },
      {
        weight: 1,
        arbitrary: fc.constantFrom(...queryValues).map((value) => `${parameter.name}=${value}`),
      },
    ),
  );
  const unknown = fc.oneof(
    { weight: 30, arbitrary: fc.constant('') },
    {
      weight: 1,
      arbitrary: fc.constantFrom('unknown=1', '__proto__=1', '&&', '%00', 'a[]=1', '?'),
    },
  );
  return fc.tuple(...parts, unknown).map((all) => {
    const query = all.filter((part) => part !== '').join('&');
    return query && `?${query}`;
  });
}

function queryValue({ schema }: Parameter): Arbitrary<string> {
  return validValue(schema).map((value) => encodeURIComponent(String(value).toWellFormed()));
}

const tags = ['*', '"1"', 'W/"1"', '"a", "b"', '""', '"', '1', '*, "1"', `"${'x'.repeat(2_000)}"`];
const ranges = [
  'bytes=0-1',
  'bytes=-5',
  'bytes=5-2',
  'bytes=0-0,2-3',
  'bytes=99999999999999999999-',
  'x',
];
const dates = ['Sun, 06 Nov 1994 08:49:37 GMT', 'yesterday'];

function headersOf({ parameters }: DocumentedOperation): Arbitrary<Sent['headers']> {
  const known = parameters.filter((parameter) => parameter.in === 'header');
  const value = fc.oneof(
    { weight: 8, arbitrary: fc.constant(undefined) },
    { weight: 1, arbitrary: fc.constant('*') },
    { weight: 2, arbitrary: fc.constantFrom(...tags, ...ranges, ...dates) },
    { weight: 1, arbitrary: fc.string({ maxLength: 40, unit: 'grapheme-ascii' }) },
  );
  const others = fc.constantFrom<Record<string, string>[]>(
    ...Array.from({ length: 20 }, () => ({})),
    { 'x-http-method-override': 'DELETE' },
    { 'x-request-id': '" onload=' },
    { 'content-encoding': 'gzip' },
    { 'accept-encoding': 'identity;q=0, *;q=0' },
    { accept: 'text/html' },
    { 'if-modified-since': 'now' },
    { cookie: '_session=x; _interaction=%00' },
  );
  const own = fc.record(Object.fromEntries(known.map(({ name }) => [name, value])));
  return fc.tuple(own, others).map(([one, other]) => ({ ...one, ...other }));
}
