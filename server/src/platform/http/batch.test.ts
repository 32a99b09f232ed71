import { setImmediate } from 'node:timers/promises';
import Type from 'typebox';
import { describe, expect, test } from 'vitest';
import { systemClock } from '../time/clock.ts';
import { batchReader, readInTurn } from './batch.ts';
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

async function refusalOf(reading: Promise<unknown>): Promise<Problem> {
  const error = await reading.catch((thrown: unknown) => thrown);
  if (error instanceof Problem) return error;
  throw new Error('It was not refused.');
}

describe('messages', () => {
  test('are read from an array and from lines alike', async () => {
    const expected = [
      { value: { n: 1 }, issues: [] },
      { value: { n: 2 }, issues: [] },
    ];
    expect(await array('[{"n":1},{"n":2}]')).toEqual(expected);
    expect(await array('\ufeff \n[ {"n":1}\n,\t{"n":2} ] \r\n')).toEqual(expected);
    expect(await lines('{"n":1}\n{"n":2}')).toEqual(expected);
    expect(await lines('\r\n{"n":1}\r\n \t\n{"n":2}\n\n')).toEqual(expected);
    for (const type of ['application/ndjson', 'Application/JSONL; charset=utf-8']) {
      expect(await lines('{"n":1}\n{"n":2}', type)).toEqual(expected);
    }
  });

  test('may be none at all, but a body there must be', async () => {
    for (const body of ['[]', ' [ \n] ']) expect(await array(body)).toEqual([]);
    expect(await lines('\n\n')).toEqual([]);
    for (const body of [undefined, Buffer.alloc(0)]) {
      expect((await refusalOf(read('application/json', body))).status).toBe(400);
    }
  });

  test('are refused as a whole when they are too many, or no array', async () => {
    const four = '{"n":1}\n'.repeat(4);
    for (const reading of [array(`[${four.trim().replaceAll('\n', ',')}]`), lines(four)]) {
      const { detail } = await refusalOf(reading);
      expect(detail).toBe('The body must have at most 3 messages.');
    }
    expect(await lines('{"n":1}\n'.repeat(3))).toHaveLength(3);
    const malformed = [
      '[1',
      '[1,]',
      '[,1]',
      '[1 2]',
      '[1]]',
      '[1],',
      '[1}',
      '[{]}]',
      '["]',
      '[["a]',
    ];
    for (const body of ['{"n":1}', 'null', '7', '', ...malformed]) {
      expect((await refusalOf(array(body))).status, body).toBe(400);
    }
  });

  test('are counted before any is validated', async () => {
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
    const four = Buffer.from('[1,2,3,4]');
    expect((await refusalOf(counting('application/json', four))).status).toBe(400);
    expect(validated).toBe(0);
  });
});

describe('what is wrong with one', () => {
  const issuesOf = async (text: string) => (await array(`[{"n":0},${text}]`))[1]?.issues;

  test('is told before it is parsed where a name is too long, or it is nested too deep', async () => {
    const long = `{"${'a'.repeat(769)}":1}`;
    const deep = `{"n":${'['.repeat(200)}${']'.repeat(200)}}`;
    const expected = [
      { pointer: '', detail: 'The message has a name of more than 768 bytes.' },
      { pointer: '', detail: 'The message is nested more than 64 levels deep.' },
    ];
    for (const [index, text] of [long, deep].entries()) {
      expect(await issuesOf(text)).toEqual([expected[index]]);
      expect((await lines(`{"n":0}\n${text}`))[1]?.issues).toEqual([expected[index]]);
    }
  });

  test('is the first issue alone where names take long to be told', async () => {
    const names = (name: string) => `{${[0, 1, 2].map((n) => `"${n}${name}":1`).join()},"n":0}`;
    expect(await issuesOf(names('a'.repeat(120)))).toHaveLength(3);
    expect(await issuesOf(names('~/'.repeat(60)))).toHaveLength(1);
  });

  test('is named with its place in the message, by the schema and by the rules', async () => {
    expect(await issuesOf('{"n":"x","m":1}')).toEqual([
      { pointer: '/m', detail: '"m" is not a known property: known are n.' },
      { pointer: '/n', detail: 'n must be a number.' },
    ]);
    expect(await issuesOf('{"n":-1}')).toEqual([{ pointer: '/n', detail: 'n must be positive.' }]);
    expect(await issuesOf('null')).toEqual([
      { pointer: '', detail: 'The message must be an object.' },
    ]);
    expect(await issuesOf('{"n":"\\u0000"}')).toMatchObject([{ pointer: '/n' }]);
  });

  test('stays short, however much it is', async () => {
    const properties = Array.from({ length: 500 }, (_, index) => `"p${index}":1`);
    expect(await issuesOf(`{${properties.join()}}`)).toHaveLength(5);
  });

  test('does not touch its neighbours in other lines', async () => {
    const [broken, garbled, good] = await lines(
      Buffer.concat([Buffer.from('{"n":\n'), Buffer.from([0xff, 0x0a]), Buffer.from('{"n":1}')]),
    );
    expect(broken?.issues[0]?.detail).toMatch(/^The line is not valid JSON/);
    expect(garbled?.issues).toEqual([{ pointer: '', detail: 'The line is not valid UTF-8.' }]);
    expect(good?.issues).toEqual([]);
  });
});

describe('a batch of any content', () => {
  const schema = Type.Object({ n: Type.Number() }, { additionalProperties: false });
  const large = (pause?: () => Promise<void>) =>
    batchReader(
      { schema, maxMessages: 10_000, maxBytes: 5_000_000, example: [] },
      systemClock,
      pause,
    );

  test('is read in slices, between which others are served', async () => {
    for (const [message, messagesOfSlice] of [
      ['{"n":1}', 128],
      [`{"n":1${' '.repeat(10_000)}}`, 8],
      ['[]', 128],
    ] as const) {
      let pauses = 0;
      const read = large(async () => {
        pauses += 1;
      });
      const body = Buffer.from(`[${Array.from({ length: 400 }, () => message)}]`);
      expect(await read('application/json', body)).toHaveLength(400);
      expect(pauses, message.slice(0, 10)).toBeGreaterThanOrEqual(
        Math.floor(400 / messagesOfSlice) - 1,
      );
    }
  });

  test.each([
    ['that are small', `[${Array.from({ length: 100 }, () => '{"n":1}')}]`],
    ['that are rejected as a whole', `[${Array.from({ length: 100 }, () => '{"n":1}')},x]`],
    ['of too many messages', `[${Array.from({ length: 10_001 }, () => 1)}]`],
  ])('is read in slices together with those before it, %s', async (_, body) => {
    let pauses = 0;
    const read = large(async () => {
      pauses += 1;
    });
    for (let count = 0; count < 40; count++)
      await read('application/json', Buffer.from(body)).catch((error) => {
        if (!(error instanceof Problem)) throw error;
      });
    // A slice has room for four of the last, and for two of the others.
    expect(pauses).toBeGreaterThanOrEqual(9);
  });

  test('waits for the one before it of its provider, and not at all once nobody waits for it', async () => {
    const resume: (() => void)[] = [];
    const read = readInTurn(large(() => new Promise<void>((resolve) => resume.push(resolve))));
    const body = Buffer.from(`[${Array.from({ length: 150 }, () => '{"n":1}')}]`);
    const send = (provider: string, isAbandoned = false) =>
      read({ provider, contentType: 'application/json', body, isAbandoned: () => isAbandoned });
    const [first, second, other] = [send('DE-ABC'), send('DE-ABC'), send('FR-XYZ')];
    const abandoned = refusalOf(send('DE-ABC', true));
    await setImmediate();
    expect(resume).toHaveLength(2);
    for (const one of resume.splice(0)) one();
    expect(await first).toHaveLength(150);
    expect(await other).toHaveLength(150);
    await setImmediate();
    expect(resume).toHaveLength(1);
    for (const one of resume.splice(0)) one();
    expect(await second).toHaveLength(150);
    expect((await abandoned).status).toBe(408);
    expect(resume).toEqual([]);
  });

  test('is not read in the turn of the event loop in which the one before it was', async () => {
    let turn = 0;
    const turns: number[] = [];
    const read = readInTurn(async () => {
      turns.push(turn);
      return [];
    });
    const body = Buffer.from('[]');
    const sent = Array.from({ length: 5 }, () =>
      read({ provider: 'DE-ABC', contentType: undefined, body, isAbandoned: () => false }),
    );
    for (; turns.length < 5; turn++) await setImmediate();
    expect(new Set(turns).size).toBe(5);
    await Promise.all(sent);
  });

  test('refuses a message that is too large without parsing it', async () => {
    const properties = Array.from({ length: 10_000 }, (_, index) => `"p${index}":1`).join();
    const sent = [`{${properties}}`, '{"n":1}', `{!${properties}}`];
    const detail = 'The message must have at most 16384 bytes.';
    for (const [type, body] of [
      ['application/json', `[${sent.join()}]`],
      ['application/x-ndjson', sent.join('\n')],
    ] as const) {
      expect(await large()(type, Buffer.from(body))).toEqual([
        { value: undefined, issues: [{ pointer: '', detail }] },
        { value: { n: 1 }, issues: [] },
        { value: undefined, issues: [{ pointer: '', detail }] },
      ]);
    }
  });

  test('reports few issues of each message once they are many', async () => {
    const wrong = JSON.stringify({ a: 1, b: 1, c: 1, d: 1, e: 1, f: 1 });
    const body = Buffer.from(`[${Array.from({ length: 1_000 }, () => wrong)}]`);
    const messages = await large()('application/json', body);
    expect(messages[0]?.issues).toHaveLength(5);
    expect(messages.at(-1)?.issues).toHaveLength(1);
  });
});
