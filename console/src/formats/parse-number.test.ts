import { expect, test } from 'vitest';
import { parseNumber } from './parse-number.ts';

const cases: [text: string, english: number | undefined, german: number | undefined][] = [
  ['189,90', 189.9, 189.9],
  ['189.90', 189.9, 189.9],
  ['189,9', 189.9, 189.9],
  ['1.234,56', 1234.56, 1234.56],
  ['1,234.56', 1234.56, 1234.56],
  ['1,234,567', 1_234_567, 1_234_567],
  ['1.234.567,8', 1_234_567.8, 1_234_567.8],
  // Both could be meant: the language decides.
  ['1,234', 1234, 1.234],
  ['1.234', 1.234, 1234],
  // No thousands are written so.
  ['0,289', 0.289, 0.289],
  ['1234,567', 1234.567, 1234.567],
  ['0.2899', 0.2899, 0.2899],
  ['12345', 12_345, 12_345],
  ['189,90 €', 189.9, 189.9],
  ['EUR 1 234,50', 1234.5, 1234.5],
  ["1'234.50", 1234.5, 1234.5],
  ['189,–', 189, 189],
  ['.5', 0.5, 0.5],
  ['-12,50', -12.5, -12.5],
  ['12.', 12, 12],
  ['', undefined, undefined],
  ['-', undefined, undefined],
  ['1,234.56.78', undefined, undefined],
];

test.each(cases)('%s is read as it is meant', (text, english, german) => {
  expect(parseNumber(text, 'en-GB')).toBe(english);
  expect(parseNumber(text, 'de-DE')).toBe(german);
});

test('in a field of whole numbers, three digits are thousands in every language', () => {
  for (const locale of ['en-GB', 'de-DE'])
    for (const text of ['12,345', '12.345', '12 345', '12345'])
      expect(parseNumber(text, locale, { isWhole: true })).toBe(12_345);
});

test('digits that are added to grouped thousands or removed from them make no decimals', () => {
  const edited: [text: string, number: number][] = [
    ['45.2301', 452_301],
    ['45.23', 4_523],
    ['45.', 45],
    ['1.234.5678', 12_345_678],
  ];
  for (const [text, number] of edited) {
    expect(parseNumber(text, 'de-DE', { isWhole: true }), text).toBe(number);
    const english = text.replaceAll('.', ',');
    expect(parseNumber(english, 'en-GB', { isWhole: true }), english).toBe(number);
  }
});

test('decimals of a whole number are still read as such', () => {
  expect(parseNumber('45.230,9', 'de-DE', { isWhole: true })).toBe(45_230.9);
  expect(parseNumber('1,234.56', 'de-DE', { isWhole: true })).toBe(1_234.56);
  expect(parseNumber('12,5', 'de-DE', { isWhole: true })).toBe(12.5);
  expect(parseNumber('12.5', 'en-GB', { isWhole: true })).toBe(12.5);
});
