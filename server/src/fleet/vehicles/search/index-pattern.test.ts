import fc from 'fast-check';
import { expect, test } from 'vitest';
import { indexPattern } from './index-pattern.ts';

test.each([
  ['p4658820', '%465%8820%'],
  ['WVWZZZT7SP8083073', '%808%3073%'],
  ['c-ky 3731e', '%3731e%'],
  ['VW Sprinter AB12345', '%pri%nter%AB1%2345%'],
])('for %s the index gets enough trigrams to find few: %s', (text, pattern) => {
  expect(indexPattern(text)).toBe(pattern);
});

test.each([
  ['ac-vn 2906', '%ac-vn 2906%'],
  ['golf 1.5 tsi life', '%golf 1.5 tsi life%'],
  ['50%_\\', '%50\\%\\_\\\\%'],
  ['škoda octavia', '%škoda octavia%'],
])('%s is matched as a whole: %s', (text, pattern) => {
  expect(indexPattern(text)).toBe(pattern);
});

test('every line with the text matches the pattern', () => {
  const piece = fc.oneof(fc.stringMatching(/^[a-zA-Z0-9]{1,9}$/), fc.constantFrom(...' -.%_\\é'));
  const texts = fc.array(piece, { minLength: 1, maxLength: 5 }).map((pieces) => pieces.join(''));
  fc.assert(
    fc.property(texts, fc.string(), fc.string(), (text, before, after) => {
      expect(matches(`${before}${text}${after}`, indexPattern(text))).toBe(true);
    }),
  );
});

/** As `like` does. */
function matches(line: string, pattern: string): boolean {
  let rests = [line];
  for (const token of pattern.match(/\\?./gsu) ?? []) {
    rests =
      token === '%'
        ? rests.flatMap((rest) =>
            Array.from({ length: rest.length + 1 }, (_, at) => rest.slice(at)),
          )
        : rests.filter((rest) => rest.startsWith(token.at(-1) ?? '')).map((rest) => rest.slice(1));
    rests = [...new Set(rests)];
  }
  return rests.includes('');
}
