import { expect, test } from 'vitest';
import { minorUnitDigits } from '../../../server/src/fleet/invoices/calculation/money.ts';
import { digitsOf, majorOf, minorOf } from './currency.ts';
import { createFormats } from './formats.ts';

test('every currency has the minor unit that the service calculates with', () => {
  const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];
  const codes = letters.flatMap((a) => letters.flatMap((b) => letters.map((c) => a + b + c)));
  expect(codes.filter((code) => digitsOf(code) !== minorUnitDigits(code))).toEqual([]);
});

test('an amount is entered and shown by ISO 4217, whatever the browser knows of its currency', () => {
  expect(minorOf(15_000, 'HUF')).toBe(1_500_000);
  expect(majorOf(1_500_000, 'HUF')).toBe(15_000);
  const { money, exactMoney } = createFormats('en', ['en-GB']);
  expect(money(1_270_000, 'HUF')).toBe('HUF\u00a012,700');
  expect(exactMoney(1_270_050, 'HUF')).toBe('HUF\u00a012,700.50');
  expect(exactMoney(1_500, 'IQD')).toBe('IQD\u00a01.500');
  expect(exactMoney(1_500, 'JPY')).toBe('JP¥1,500');
});

test('what is not a code yet has two digits', () => {
  expect(digitsOf('H')).toBe(2);
});
