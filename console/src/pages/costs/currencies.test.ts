import { expect, test } from 'vitest';
import { currenciesOf, sumsIn } from './currencies.ts';

const francs = { currency: 'CHF', amount: 4_500 };
const euros = { currency: 'EUR', amount: 120_000 };

test('the currency in which most was paid is the first, whichever is found first', () => {
  expect(currenciesOf([francs, euros, euros], 'EUR')).toEqual(['EUR', 'CHF']);
  expect(currenciesOf([euros, francs, francs], 'EUR')).toEqual(['CHF', 'EUR']);
  expect(currenciesOf([], 'EUR')).toEqual([]);
});

test('of currencies that were used as often, the one of the fleet is the first', () => {
  expect(currenciesOf([francs, euros], 'EUR')).toEqual(['EUR', 'CHF']);
  expect(currenciesOf([euros, francs], 'CHF')).toEqual(['CHF', 'EUR']);
});

test('the sum of each currency is of its own totals', () => {
  expect(sumsIn(['EUR', 'CHF'], [francs, euros, euros])).toEqual([
    { currency: 'EUR', amount: 240_000 },
    { currency: 'CHF', amount: 4_500 },
  ]);
});
