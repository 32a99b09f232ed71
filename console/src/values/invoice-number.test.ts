import { expect, test } from 'vitest';
import { invoiceNumberOf } from './invoice-number.ts';

const texts = { types: { invoice: 'Invoice', credit_note: 'Credit note' } };

test('a credit note is told as one, also without a number', () => {
  expect(invoiceNumberOf({ type: 'credit_note', number: 'G-1' }, texts)).toBe('Credit note · G-1');
  expect(invoiceNumberOf({ type: 'credit_note' }, texts)).toBe('Credit note');
});

test('an invoice has its number alone', () => {
  expect(invoiceNumberOf({ type: 'invoice', number: 'G-1' }, texts)).toBe('G-1');
  expect(invoiceNumberOf({ type: 'invoice' }, texts)).toBeUndefined();
});
