import { expect, test } from 'vitest';
import { LargeJson } from './large-json.ts';

const numbers = (count: number) => Array.from({ length: count }, (_, index) => `${index}`);

test('a large body is the same as when it is serialized at once', async () => {
  for (const count of [0, 1, 2, 100_000]) {
    const pieces = await new LargeJson('{"items":[', numbers(count), ']}').serialize();
    const expected = { items: numbers(count).map(Number) };
    expect(Buffer.concat(pieces).toString()).toBe(JSON.stringify(expected));
    expect(pieces.length > 1).toBe(count > 1_000);
  }
});

test('it serializes no more than the limit, counted in bytes', async () => {
  let taken = 0;
  function* parts() {
    for (; taken < 1_000; taken++) yield JSON.stringify('ä\u0001'.repeat(10_000));
  }
  await expect(
    new LargeJson('[', parts(), ']').serialize(undefined, 1_000_000),
  ).rejects.toMatchObject({
    status: 422,
    kind: 'answer-too-large',
  });
  expect(taken).toBeLessThan(15);
  const fitting = new LargeJson('[', ['"ä"'], ']');
  await expect(fitting.serialize(undefined, 5)).rejects.toMatchObject({ status: 422 });
  expect(Buffer.concat(await fitting.serialize(undefined, 6)).toString()).toBe('["ä"]');
});

test('a large part is encoded in pieces, between which other requests are served', async () => {
  const part = JSON.stringify('a🚗'.repeat(100_000));
  let turns = 0;
  const count = () => {
    turns += 1;
    counting = setImmediate(count);
  };
  let counting = setImmediate(count);
  const pieces = await new LargeJson('[', [part, '1', part], ']').serialize();
  clearImmediate(counting);
  expect(Buffer.concat(pieces).toString()).toBe(`[${part},1,${part}]`);
  expect(Math.max(...pieces.map(({ length }) => length))).toBeLessThan(250_000);
  expect(pieces.length).toBeGreaterThan(8);
  expect(turns).toBeGreaterThanOrEqual(pieces.length - 1);
});

test.each([
  ['serialized', 1_000],
  ['found to be too large', 10],
])('its rows, where they are large, are held until it is %s', async (_how, maxBytes) => {
  const held: string[] = [];
  const db = {
    hold() {
      held.push('held');
      return () => void held.push('released');
    },
  };
  const bodyOf = (readBytes: number) => new LargeJson('[', numbers(20), ']', readBytes);
  const small = bodyOf(60_000);
  small.holdRows(db);
  await small.serialize('DE-ABC');
  expect(held).toEqual([]);
  const large = bodyOf(70_000);
  large.holdRows(db);
  expect(held).toEqual(['held']);
  await large.serialize('DE-ABC', maxBytes).catch(() => {});
  expect(held).toEqual(['held', 'released']);
});
