import { afterEach, expect, test, vi } from 'vitest';
import { maxMessageBytes } from '../../../platform/http/batch.ts';
import { boxPayloadReader, maxPayloadBytes } from './box-payload.ts';

afterEach(() => vi.restoreAllMocks());

const read = boxPayloadReader({ now: () => new Date() });

test('nothing larger than a message is parsed: a megabyte of brackets would keep the event loop from others', async () => {
  const parse = vi.spyOn(JSON, 'parse');
  const half = maxPayloadBytes / 2 - 10;
  const deep = `{"a":${'['.repeat(half)}${']'.repeat(half)}}`;
  const [message] = await read(Buffer.from(deep), 'BX-0');
  expect(message?.issues).toMatchObject([{ pointer: '' }]);
  for (const [text] of parse.mock.calls) expect(text.length).toBeLessThanOrEqual(maxMessageBytes);
});

test('many small payloads are not read in one turn of the event loop', async () => {
  let turns = 0;
  let isReading = true;
  const count = () => {
    turns += 1;
    if (isReading) setImmediate(count);
  };
  setImmediate(count);
  const payload = Buffer.from(`[${'{"a":0},'.repeat(120)}x]`);
  for (let index = 0; index < 20; index++) await read(payload, 'BX-0').catch(() => {});
  isReading = false;
  expect(turns).toBeGreaterThan(8);
});
