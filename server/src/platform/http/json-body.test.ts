import Type from 'typebox';
import { describe, expect, test } from 'vitest';
import { systemClock } from '../time/clock.ts';
import { isLargeBody, parseJson, parseJsonBody } from './json-body.ts';
import { Problem } from './problem.ts';
import { queryReader } from './query.ts';
import { partReader } from './request-part.ts';

const parse = (text: string) => parseJsonBody(Buffer.from(text));

function refusalOf(text: string): Problem {
  try {
    parse(text);
  } catch (error) {
    if (error instanceof Problem) return error;
  }
  throw new Error('It was not refused.');
}

describe('a number too small for a normal double', () => {
  test.each([
    '1e-320',
    '-4.9E-324',
    '2.2250738585072009e-308',
    `0.${'0'.repeat(310)}1`,
    `0.${'0'.repeat(230)}1e-80`,
    '0.00001e-304',
    '1e-00000320',
  ])('is 0: %s', (number) => {
    expect(parse(number)).toBe(0);
    expect(parse(`{"a":[${number},{"b":${number}}],"c":${number}}`)).toEqual({
      a: [0, { b: 0 }],
      c: 0,
    });
  });

  test('is 0 in the query as well', () => {
    const read = queryReader(systemClock, { schema: Type.Object({ n: Type.Number() }) });
    expect(read({ n: `0.${'0'.repeat(310)}1` })).toEqual({ n: 0 });
  });

  test.each(['2.2250738585072014e-308', '-1e-300', '1e-99', '0', '-0', '0.5'])(
    'is not %s',
    (number) => {
      expect(parse(`[${number}]`)).toEqual([Number(number)]);
    },
  );
});

describe('a body', () => {
  test.each([
    ['depth', '['.repeat(65) + ']'.repeat(65), /nested more than 64 levels/],
    ['open brackets', '['.repeat(1_048_576), /nested more than 64 levels/],
    ['values', `[${'1,'.repeat(60_000)}1]`, /more than 60000 values/],
    ['names', `{${Array.from({ length: 40_001 }, (_, i) => `"${i}":1`)}}`, /40000 properties/],
  ])('of too many %s is refused before it is parsed', (_what, text, detail) => {
    // What no parser accepts shows that none has seen it.
    for (const body of [text, `${text}!`]) expect(refusalOf(body).detail).toMatch(detail);
  });

  test('is bounded by its structure, not by its texts', () => {
    const text = JSON.stringify('[{"a":1,\\"'.repeat(20_000));
    expect(parse(text)).toBe('[{"a":1,\\"'.repeat(20_000));
    expect(parse('['.repeat(64) + ']'.repeat(64))).toBeDefined();
  });
});

test('of a large body only the first issue is named', () => {
  const schema = Type.Object({ list: Type.Array(Type.Object({}), { maxItems: 5 }) });
  const read = partReader({ schema }, systemClock);
  const issuesOf = (count: number) => {
    const body = read(parse(`{"list":[${Array.from({ length: count }, () => '1')}]}`));
    return 'issues' in body ? body.issues.length : 0;
  };
  expect(issuesOf(50)).toBe(51);
  expect(issuesOf(10_000)).toBe(1);
});

test('of a long name, the issues have its start', () => {
  const text = JSON.stringify({ ['~'.repeat(100_000)]: ['\0', '\0'] });
  const pointers = parseJson(text, 'It').issues.map(({ pointer }) => pointer);
  expect(pointers).toEqual([`/${'~0'.repeat(100)}/0`, `/${'~0'.repeat(100)}/1`]);
});

describe('names', () => {
  test('of more than 768 bytes are refused', () => {
    expect(parse(`{"${'a'.repeat(768)}":1}`)).toEqual({ ['a'.repeat(768)]: 1 });
    for (const name of ['a'.repeat(769), '\\u0061'.repeat(129), 'ü'.repeat(385)])
      expect(refusalOf(`{"a":[{"${name}" : {}}]}`).errors).toEqual([
        { pointer: '', detail: 'The body has a name of more than 768 bytes.' },
      ]);
  });

  test('that a pointer escapes a thousand times make the first issue the only one', () => {
    const body = (name: string, count: number) =>
      parse(`{${Array.from({ length: count }, (_, index) => `"${name}${index}":{}`).join()}}`);
    const schema = Type.Object(
      { a: Type.Optional(Type.Number()) },
      { additionalProperties: false },
    );
    const read = partReader({ schema }, systemClock);
    const issuesOf = (sent: unknown) => (read(sent) as { issues: unknown[] }).issues.length;
    expect(isLargeBody(body('~/'.repeat(40), 10))).toBe(false);
    expect(issuesOf(body('~/'.repeat(40), 10))).toBe(10);
    for (const name of ['~'.repeat(101), '/'.repeat(101), '\\u007e'.repeat(101)]) {
      expect(isLargeBody(body(name, 10))).toBe(true);
      expect(issuesOf(body(name, 10))).toBe(1);
    }
    expect(isLargeBody(parse(JSON.stringify({ a: '~/'.repeat(1_000) })))).toBe(false);
  });
});
