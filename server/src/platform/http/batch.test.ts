import Type from 'typebox';
import { describe, expect, test } from 'vitest';
import { systemClock } from '../time/clock.ts';
import { batchReader } from './batch.ts';
import { Problem } from './problem.ts';

const read = batchReader(
  {
    schema: Type.Object({ n: Type.Number() }, { additionalProperties: false }),
    rules: ({ n }: { n: number }) =>
      n < 0 ? [{ pointer: '/n', detail: 'n must be positive.' }] : [],
    maxMessages: 3,
    maxBytes: 1_000,
    example: [],
  },
  systemClock,
);

const array = (body: string | Buffer) => read('application/json', Buffer.from(body));
const lines = (body: string | Buffer, type = 'application/x-ndjson') =>
  read(type, Buffer.from(body));

function refusalOf(work: () => unknown): Problem {
  try {
    work();
  } catch (error) {
    if (error instanceof Problem) return error;
  }
  throw new Error('It was not refused.');
}

describe('messages', () => {
  test('are read from an array and from lines alike', () => {
    const expected = [
      { value: { n: 1 }, issues: [] },
      { value: { n: 2 }, issues: [] },
    ];
    expect(array('[{"n":1},{"n":2}]')).toEqual(expected);
    expect(lines('{"n":1}\n{"n":2}')).toEqual(expected);
    expect(lines('\r\n{"n":1}\r\n \t\n{"n":2}\n\n')).toEqual(expected);
    for (const type of ['application/ndjson', 'Application/JSONL; charset=utf-8']) {
      expect(lines('{"n":1}\n{"n":2}', type)).toEqual(expected);
    }
  });

  test('may be none at all, but a body there must be', () => {
    expect(array('[]')).toEqual([]);
    expect(lines('\n\n')).toEqual([]);
    for (const body of [undefined, Buffer.alloc(0)]) {
      expect(refusalOf(() => read('application/json', body)).status).toBe(400);
    }
  });

  test('are refused as a whole when they are too many, or no array', () => {
    const four = '{"n":1}\n'.repeat(4);
    for (const work of [() => array(`[${four.trim().replaceAll('\n', ',')}]`), () => lines(four)]) {
      expect(refusalOf(work).detail).toBe('The body must have at most 3 messages.');
    }
    expect(lines('{"n":1}\n'.repeat(3))).toHaveLength(3);
    for (const body of ['{"n":1}', 'null', '7', '[1', '']) {
      expect(refusalOf(() => array(body)).status, body).toBe(400);
    }
  });

  test('are counted before any is validated', () => {
    let validated = 0;
    const counting = batchReader(
      {
        schema: Type.Unknown(),
        rules: () => {
          validated += 1;
          return [];
        },
        maxMessages: 3,
        maxBytes: 1_000,
        example: [],
      },
      systemClock,
    );
    const refusal = refusalOf(() => counting('application/json', Buffer.from('[1,2,3,4]')));
    expect(refusal.status).toBe(400);
    expect(validated).toBe(0);
  });
});

describe('what is wrong with one', () => {
  const issuesOf = (text: string) => array(`[{"n":0},${text}]`)[1]?.issues;

  test('is named with its place in the message, by the schema and by the rules', () => {
    expect(issuesOf('{"n":"x","m":1}')).toEqual([
      { pointer: '/m', detail: '"m" is not a known property: known are n.' },
      { pointer: '/n', detail: 'n must be a number.' },
    ]);
    expect(issuesOf('{"n":-1}')).toEqual([{ pointer: '/n', detail: 'n must be positive.' }]);
    expect(issuesOf('null')).toEqual([{ pointer: '', detail: 'The message must be an object.' }]);
    expect(issuesOf('{"n":"\\u0000"}')).toMatchObject([{ pointer: '/n' }]);
  });

  test('stays short, however much it is', () => {
    const properties = Array.from({ length: 500 }, (_, index) => `"p${index}":1`);
    expect(issuesOf(`{${properties.join()}}`)).toHaveLength(5);
  });

  test('does not touch its neighbours in other lines', () => {
    const [broken, garbled, good] = lines(
      Buffer.concat([Buffer.from('{"n":\n'), Buffer.from([0xff, 0x0a]), Buffer.from('{"n":1}')]),
    );
    expect(broken?.issues[0]?.detail).toMatch(/^The line is not valid JSON/);
    expect(garbled?.issues).toEqual([{ pointer: '', detail: 'The line is not valid UTF-8.' }]);
    expect(good?.issues).toEqual([]);
  });
});
