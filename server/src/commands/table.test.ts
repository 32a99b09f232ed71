import { afterEach, expect, test, vi } from 'vitest';
import { printRows } from './table.ts';

afterEach(() => vi.restoreAllMocks());

function printed(rows: Record<string, unknown>[], options = {}): string {
  const write = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  printRows(rows, options);
  return write.mock.calls.map(([text]) => text).join('');
}

const name = 'x\n\u001b[2J\u009b31m\u202e';

test('a name neither makes another line of a table nor controls the terminal', () => {
  expect(printed([{ name, uris: [name] }]).split('\n')).toEqual([
    expect.stringMatching(/^name +uris$/),
    'x\\u000a\\u001b[2J\\u009b31m\\u202e  x\\u000a\\u001b[2J\\u009b31m\\u202e',
    '',
  ]);
});

test('as JSON, it is the same name, without controls of the terminal', () => {
  const text = printed([{ name }], { json: true });
  expect(JSON.parse(text)).toEqual([{ name }]);
  expect(text).not.toMatch(/(?!\n)\p{Cc}/u);
});

test('any number of rows is printed', () => {
  const rows = Array.from({ length: 150_000 }, (_, number) => ({ number }));
  expect(printed(rows).split('\n')).toHaveLength(rows.length + 2);
});
