import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { receiveAttachments } from './receive-attachments.ts';

const maxBytes = 100;
const receive = (...pieces: string[]) =>
  receiveAttachments(Readable.from(pieces.map((piece) => Buffer.from(piece))), maxBytes);
const headOf = (...sizes: unknown[]) =>
  `${JSON.stringify({ attachments: sizes.map((size, index) => ({ name: `${index}.xml`, size })) })}\n`;

test('attachments are taken apart wherever the pieces are', async () => {
  const attachments = [
    { name: '0.xml', bytes: Buffer.from('<a/>') },
    { name: '1.xml', bytes: Buffer.from('') },
    { name: '2.xml', bytes: Buffer.from('<b\n/>') },
  ];
  const output = `${headOf(4, 0, 5)}<a/><b\n/>`;
  expect(await receive(output)).toEqual({ attachments });
  expect(await receive(...output)).toEqual({ attachments });
  expect(await receive(headOf())).toEqual({ attachments: [] });
});

test('a failure is told, with or without the end of its line', async () => {
  expect(await receive('{"failure":"encrypted"}\n')).toEqual({ failure: 'encrypted' });
  expect(await receive('{"fail', 'ure":"memory"}')).toEqual({ failure: 'memory' });
});

test.each([
  ['nothing', ''],
  ['no JSON', 'attachments\n'],
  ['JSON of another type', '{"attachments":[null]}\n'],
  ['fewer bytes than it said', `${headOf(5)}<a/>`],
  ['more bytes than it said', `${headOf(3)}<a/>`],
  ['more bytes than may come', `${headOf(101)}${'a'.repeat(101)}`],
  ['a size that is none', `${headOf(-1, 5)}<a/>`],
  ['a size that is no number', `${headOf('4')}<a/>`],
])('%s is no result', async (_what, output) => {
  expect(await receive(output)).toEqual({});
});
