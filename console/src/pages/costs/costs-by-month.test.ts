import type { CostTotal } from '@motorpool/client';
import { expect, test } from 'vitest';
import { costsByMonth } from './costs-by-month.ts';

const kinds = ['fuel', 'energy', 'repair', 'tyres', 'toll', 'tax', 'fine'] as const;
const names = Object.fromEntries(kinds.map((kind) => [kind, kind.toUpperCase()])) as never;

test('the largest kinds have a series each, and the others share one', () => {
  const totals: CostTotal[] = kinds.map((kind, index) => ({
    month: '2027-03',
    kind,
    currency: 'EUR',
    amount: (10 - index) * 100,
    taxAmount: 0,
    logbookAmount: 0,
  }));
  const { rows, series } = costsByMonth(
    totals,
    ['2027-02', '2027-03'],
    names,
    'Rest',
    (month) => month,
  );
  expect(series.map(({ label }) => label)).toEqual([
    'FUEL',
    'ENERGY',
    'REPAIR',
    'TYRES',
    'TOLL',
    'Rest',
  ]);
  expect(rows[0]).toEqual({ name: '2027-02', values: {} });
  expect(rows[1]?.values).toEqual({ fuel: 10, energy: 9, repair: 8, tyres: 7, toll: 6, rest: 9 });
});
