import { expect, test } from 'vitest';
import { codeBlocks, expectLines, expectShape } from './code-blocks.ts';

test('blocks have their language, the words behind it, and their text', () => {
  const page = 'Text\n\n```sh exit=22\ncurl x\n```\n\n```json output\n{}\n```\n';
  expect(codeBlocks(page)).toEqual([
    { language: 'sh', words: ['exit=22'], text: 'curl x\n', line: 3 },
    { language: 'json', words: ['output'], text: '{}\n', line: 7 },
  ]);
});

test('an answer that lacks a member, or has another type or status, is not what a page shows', () => {
  const actual = { status: 404, items: [{ id: 'a', count: 1 }] };
  expectShape(actual, { status: 404, items: [{ id: 'b' }] });
  for (const shown of [{ total: 1 }, { status: 400 }, { items: [{ id: 1 }] }, { items: {} }])
    expect(() => expectShape(actual, shown)).toThrow();
});

test('an output that lacks a line, or has them in another order, is not what a page shows', () => {
  expectLines('id: 7\nevent: x\ndata: {}\n', 'id: …\ndata: {}\n');
  for (const shown of ['data: {}\nid: 7', 'id: 8', 'event', 'id: 7\nnone'])
    expect(() => expectLines('id: 7\nevent: x\ndata: {}\n', shown)).toThrow();
});
