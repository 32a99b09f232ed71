import fc, { type Arbitrary } from 'fast-check';
import { operations } from '../../fleet/index.ts';
import {
  adversarialValues,
  leaves,
  malformedBodies,
  objects,
  unreadableBodies,
  withValue,
} from '../contract/malformed-input.ts';
import type { Content, DocumentedOperation } from './documented-operations.ts';
import { validValue, variantOf } from './schema-arbitrary.ts';

export type Body = { type: string | undefined; bytes: Buffer };

type Choice = { weight: number; arbitrary: Arbitrary<Body> };

/** Bodies of an operation: as its document says, and others. */
export function bodyOf(operation: DocumentedOperation): Arbitrary<Body | undefined> {
  const { content, bodyRequired } = operation;
  const choices = Object.entries(content).flatMap(([type, described]): Choice[] => {
    if (type === 'application/json') {
      const values = valuesOf(described);
      const bodies = asBody(type, values.map(textOf));
      return [
        { weight: 12, arbitrary: bodies },
        { weight: 6, arbitrary: asBody(type, changedJson(values)) },
        { weight: 1, arbitrary: fc.tuple(bodies, damage).map(damaged) },
        { weight: 1, arbitrary: retyped(bodies) },
      ];
    }
    if (type === 'application/x-ndjson') {
      const { schema, example } = content['application/json'] ?? described;
      const messages = (example as unknown[]).map((message) =>
        variantOf(schema.items ?? {}, message),
      );
      return [{ weight: 6, arbitrary: asBody(type, jsonLines(fc.oneof(...messages))) }];
    }
    if (type === 'application/x-www-form-urlencoded')
      return [{ weight: 6, arbitrary: asBody(type, valuesOf(described).map(formOf)) }];
    return [{ weight: 5, arbitrary: anyBytes }, ...uploadOf(operation.id)];
  });
  return fc.oneof(
    { weight: bodyRequired ? 1 : 10, arbitrary: fc.constant(undefined) },
    ...choices,
    { weight: 1, arbitrary: asBody('application/json', fc.constantFrom(...malformedTexts)) },
  );
}

/** The bytes of an upload that takes no others, whole and damaged. */
function uploadOf(id: string): Choice[] {
  const bytes = operations.find((operation) => operation.id === id)?.upload?.example;
  if (!bytes) return [];
  const whole = fc.constant({ type: 'application/octet-stream', bytes });
  return [
    { weight: 1, arbitrary: whole },
    { weight: 1, arbitrary: fc.tuple(whole, damage).map(damaged) },
  ];
}

function valuesOf({ schema, example, examples = {} }: Content): Arbitrary<unknown> {
  const known = [example, ...Object.values(examples).map(({ value }) => value)];
  const variants = known
    .filter((one) => one !== undefined)
    .map((one) => ({ weight: 3, arbitrary: variantOf(schema, one) }));
  return fc.oneof(...variants, { weight: 1, arbitrary: validValue(schema) });
}

const malformedTexts = Object.values({ ...unreadableBodies, ...malformedBodies }).map((body) =>
  body.toString('latin1'),
);

const asBody = (type: string, texts: Arbitrary<string>): Arbitrary<Body> =>
  texts.map((text) => ({ type, bytes: Buffer.from(text) }));

const textOf = (value: unknown) => JSON.stringify(value) ?? 'null';

const formOf = (value: unknown) =>
  new URLSearchParams(
    Object.entries(value as Record<string, string>).filter(([, one]) => one !== undefined),
  ).toString();

/** JSON that stands in the place of a value. */
const rawValue: Arbitrary<string> = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...adversarialValues) },
  {
    weight: 3,
    arbitrary: fc.constantFrom(
      '-0',
      '5e-324',
      '-1e-320',
      '1e-400',
      '2.2250738585072011e-308',
      '1E+2',
      '9'.repeat(400),
      `0.${'0'.repeat(330)}1`,
      '[['.repeat(40) + ']]'.repeat(40),
      `${'{"a":'.repeat(70)}1${'}'.repeat(70)}`,
      '{"__proto__":null,"constructor":{},"toString":1}',
      '"\\u0000\\ud800"',
      '"\u202e\ufeff\u2028"',
      '"İ"',
      '"=1+1"',
      '"\'); drop table vehicles; --"',
    ),
  },
  { weight: 2, arbitrary: fc.jsonValue({ maxDepth: 2 }).map(textOf) },
  { weight: 2, arbitrary: fc.double().map((number) => textOf(number)) },
);

type Change = { at: number; kind: 'replace' | 'remove' | 'add' | 'repeat'; raw: string };

const change: Arbitrary<Change> = fc.record({
  at: fc.nat(),
  kind: fc.constantFrom('replace' as const, 'replace' as const, 'remove', 'add', 'repeat'),
  raw: rawValue,
});

/** A valid body with a value replaced or removed, a property that is unknown, or one that stands there twice. */
function changedJson(values: Arbitrary<unknown>): Arbitrary<string> {
  return fc.tuple(values, change).map(([value, { at, kind, raw }]) => {
    const places = (kind === 'add' || kind === 'repeat' ? objects : leaves)(value);
    const path = places[at % (places.length || 1)];
    if (!path) return raw;
    if (kind === 'replace') return withValue(value, path, raw);
    if (kind === 'add') return withValue(value, [...path, 'unknown'], raw);
    if (kind === 'remove') {
      return withValue(value, path, '{{removed}}').replace(/("[^"]*":)?{{removed}},?/, '');
    }
    return textOf(value).replace(/{("[^"]*":)/, (_, name) => `{${name}${raw},${name}`);
  });
}

function jsonLines(values: Arbitrary<unknown>): Arbitrary<string> {
  const line = fc.oneof(
    { weight: 4, arbitrary: values.map(textOf) },
    { weight: 2, arbitrary: changedJson(values) },
    { weight: 1, arbitrary: fc.constantFrom('', ' ', '\r', '{', 'null', '[]', '\u0000') },
  );
  return fc.array(line, { maxLength: 8 }).map((lines) => lines.join('\n'));
}

const damage = fc.record({ at: fc.nat(), byte: fc.nat(255), kind: fc.constantFrom('set', 'cut') });

function damaged([{ type, bytes }, { at, byte, kind }]: [
  Body,
  { at: number; byte: number; kind: string },
]): Body {
  const place = at % (bytes.length || 1);
  if (kind === 'cut') return { type, bytes: bytes.subarray(0, place) };
  const copy = Buffer.from(bytes);
  copy[place] = byte;
  return { type, bytes: copy };
}

function retyped(bodies: Arbitrary<Body>): Arbitrary<Body> {
  const types = fc.constantFrom(
    undefined,
    '',
    'text/plain',
    'application/xml',
    'application/x-ndjson',
    'application/json; charset=utf-16',
    'application/json; charset=utf-8; x="',
    'APPLICATION/JSON',
    'application/json, text/plain',
    'multipart/form-data; boundary=x',
    'application/x-www-form-urlencoded',
  );
  return fc.tuple(bodies, types).map(([{ bytes }, type]) => ({ type, bytes }));
}

const anyBytes: Arbitrary<Body> = fc
  .tuple(
    fc.uint8Array({ maxLength: 2_000 }),
    fc.constantFrom(undefined, 'image/png', 'text/html', 'application/json', 'no type'),
  )
  .map(([bytes, type]) => ({ type, bytes: Buffer.from(bytes) }));
