import fc from 'fast-check';
import { expect, test } from 'vitest';
import { turnsOf } from '../../../testing/turns-of.ts';
import type { InvoiceRequest, NewInvoice } from '../invoice.ts';
import { partsAtOnce } from '../yield-between-lines.ts';
import { allocate } from './allocate.ts';
import { completeInvoice } from './complete-invoice.ts';
import { lineCosts } from './line-costs.ts';
import {
  decimal,
  grossAmount,
  minorUnitDigits,
  percentageOf,
  plainDecimal,
  roundHalfUp,
  toMinorUnits,
} from './money.ts';
import { vatKey } from './vat-key.ts';

const sum = (amounts: readonly number[]) => amounts.reduce((total, amount) => total + amount, 0);

test('a half is rounded away from zero, of either sign', () => {
  const rounded = ['0.5', '1.5', '2.5', '-0.5', '-1.5', '-2.5', '2.4999999999', '-2.4999999999'];
  expect(rounded.map((text) => roundHalfUp(decimal(text)))).toEqual([1, 2, 3, -1, -2, -3, 2, -2]);
  expect(Object.is(roundHalfUp(decimal('-0.2')), 0)).toBe(true);
});

test('amounts are exact where binary fractions are not', () => {
  // 1.005 is less than that as a double, and 0.07 times 100 more than 7.
  expect(toMinorUnits(decimal('1.005'), 'EUR')).toBe(101);
  expect(toMinorUnits(decimal('0.07'), 'EUR')).toBe(7);
  expect(percentageOf(150, '19')).toBe(29);
  expect(percentageOf(-150, '19')).toBe(-29);
});

test('a minor unit has as many digits as ISO 4217 says', () => {
  const currencies = ['EUR', 'JPY', 'KWD', 'ISK', 'HUF', 'TND', 'IQD'];
  expect(currencies.map(minorUnitDigits)).toEqual([2, 0, 3, 0, 2, 3, 3]);
  expect(
    ['JPY', 'EUR', 'KWD'].map((currency) => toMinorUnits(decimal('12.3456'), currency)),
  ).toEqual([12, 1_235, 12_346]);
});

test('property: rounding is symmetric, and within half a unit', () => {
  const decimals = fc.tuple(fc.bigInt({ min: -(10n ** 20n), max: 10n ** 20n }), fc.nat(10));
  fc.assert(
    fc.property(decimals, ([digits, scale]) => {
      const value = decimal(String(digits)).div(decimal(10).pow(scale));
      fc.pre(value.abs().lt(Number.MAX_SAFE_INTEGER));
      const rounded = roundHalfUp(value);
      expect(roundHalfUp(value.neg())).toBe(rounded === 0 ? 0 : -rounded);
      const difference = value.minus(rounded).abs();
      expect(difference.lte(0.5)).toBe(true);
      if (difference.eq(0.5)) expect(value.abs().lt(Math.abs(rounded))).toBe(true);
    }),
  );
});

test('property: whole numbers have the results of decimals', () => {
  const text = fc.stringMatching(/^-?(0|[1-9][0-9]{0,11})(\.[0-9]{1,10})?$/);
  const currency = fc.constantFrom('JPY', 'EUR', 'KWD', 'CLF');
  fc.assert(
    fc.property(text, text, text, currency, (quantity, unitPrice, priceBaseQuantity, currency) => {
      const base = decimal(priceBaseQuantity);
      const exact = base.eq(0) ? base : decimal(quantity).times(unitPrice).div(base);
      const price = { quantity, unitPrice, priceBaseQuantity };
      expect(grossAmount(price, currency)).toBe(toMinorUnits(exact, currency));
      expect(plainDecimal(quantity)).toBe(decimal(quantity).toFixed());
    }),
  );
  fc.assert(
    fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), text, (size, percentage) => {
      const amount = Math.trunc(size);
      const exact = decimal(amount).times(percentage).div(100);
      expect(percentageOf(amount, percentage)).toBe(roundHalfUp(exact));
    }),
  );
  // Halves, of which random numbers have few.
  const half = { quantity: '-0.3', unitPrice: '0.05', priceBaseQuantity: '0.6' };
  expect(grossAmount(half, 'EUR')).toBe(-3);
  expect(grossAmount({ ...half, priceBaseQuantity: '0.6000000001' }, 'EUR')).toBe(-2);
});

test('property: what is allocated adds up, and no part is a whole unit off', () => {
  const weights = fc.array(fc.integer({ min: -1_000_000, max: 1_000_000 }), { minLength: 1 });
  fc.assert(
    fc.property(fc.maxSafeInteger(), weights, (amount, weights) => {
      const parts = allocate(amount, weights);
      expect(parts.reduce((total, part) => total + BigInt(part), 0n)).toBe(BigInt(amount));
      const sizes = weights.map(Math.abs);
      const total = sum(sizes);
      for (const [index, part] of total === 0 ? [] : parts.entries()) {
        const exact = decimal(amount)
          .times(sizes[index] ?? 0)
          .div(total);
        expect(exact.minus(part).abs().lt(1)).toBe(true);
      }
    }),
  );
});

const decimalOf = (max: number, scale: number, min = 0) =>
  fc
    .tuple(fc.integer({ min, max }), fc.nat(scale))
    .map(([digits, places]) => decimal(digits).div(decimal(10).pow(places)).toFixed());

const vat = fc.constantFrom(
  { vatCategory: 'S', vatRate: '19' },
  { vatCategory: 'S', vatRate: '19.0' },
  { vatCategory: 'S', vatRate: '7.7' },
  { vatCategory: 'Z' },
  { vatCategory: 'O' },
) as fc.Arbitrary<{ vatCategory: 'S' | 'Z' | 'O'; vatRate?: string }>;

const allowance = fc.integer({ min: 0, max: 100_000 }).map((amount) => ({ amount }));

const line = fc
  .record({
    quantity: decimalOf(100_000, 6, -100_000),
    unitPrice: decimalOf(10_000_000, 8),
    priceBaseQuantity: fc.constantFrom('1', '100', '0.3', '7'),
    vat,
    allowances: fc.array(allowance, { maxLength: 2 }),
    charges: fc.array(allowance, { maxLength: 2 }),
  })
  .map(({ vat, ...rest }) => ({ text: 'Work', ...rest, ...vat }));

const onDocument = fc.array(
  fc.tuple(allowance, vat).map(([one, taxed]) => ({ ...one, ...taxed })),
  { maxLength: 3 },
);

const requests: fc.Arbitrary<InvoiceRequest> = fc.record({
  type: fc.constantFrom('invoice', 'credit_note'),
  currency: fc.constantFrom('EUR', 'JPY', 'KWD'),
  lines: fc.array(line, { minLength: 1, maxLength: 8 }),
  allowances: onDocument,
  charges: onDocument,
  totals: fc.record({
    prepaidAmount: fc.integer({ min: -1_000, max: 1_000 }),
    roundingAmount: fc.integer({ min: -50, max: 50 }),
  }),
});

function complete(request: InvoiceRequest) {
  return completeInvoice(request, { currency: request.currency ?? 'EUR', status: 'open' });
}

test('property: the calculated amounts agree by EN 16931, and are accepted when they are sent', async () => {
  await fc.assert(
    fc.asyncProperty(requests, async (request) => {
      const { invoice, issues } = await complete(request);
      expect(issues).toEqual([]);
      const { totals, vatBreakdown, lines } = invoice;
      expect(totals.lineNetAmount).toBe(sum(lines.map(({ netAmount }) => netAmount)));
      expect(sum(vatBreakdown.map(({ taxableAmount }) => taxableAmount))).toBe(
        totals.taxExclusiveAmount,
      );
      expect(sum(vatBreakdown.map(({ taxAmount }) => taxAmount))).toBe(totals.taxAmount);
      expect(totals.taxInclusiveAmount).toBe(totals.taxExclusiveAmount + totals.taxAmount);
      expect(totals.payableAmount).toBe(
        totals.taxInclusiveAmount - totals.prepaidAmount + totals.roundingAmount,
      );
      expect(new Set(vatBreakdown.map(vatKey)).size).toBe(vatBreakdown.length);
      expect(await complete(invoice)).toEqual({ invoice, issues: [] });
    }),
  );
});

test('property: one amount that is off is named with what it must be and what was found', async () => {
  const wrong = fc.tuple(requests, fc.nat(), fc.integer({ min: 1, max: 100 }), fc.boolean());
  await fc.assert(
    fc.asyncProperty(wrong, async ([request, choice, size, isNegative]) => {
      const { invoice } = await complete(request);
      const off = isNegative ? -size : size;
      const { pointer, changed, before } = changeOne(invoice, choice, off);
      const issue = (await complete(changed)).issues.find((one) => one.pointer === pointer);
      expect(issue?.detail).toContain(`must be ${before},`);
      expect(issue?.detail).toContain(`found ${before + off}.`);
    }),
  );
});

/** One of the amounts that follow from others, changed. */
function changeOne(invoice: NewInvoice, choice: number, off: number) {
  const changed = structuredClone(invoice);
  const places = [
    ...changed.lines.map((line, index) => [`/lines/${index}`, line, 'netAmount'] as const),
    ...changed.vatBreakdown.flatMap((entry, index) =>
      ['taxableAmount', 'taxAmount'].map(
        (name) => [`/vatBreakdown/${index}`, entry, name] as const,
      ),
    ),
    ...Object.keys(changed.totals)
      .filter((name) => name !== 'prepaidAmount' && name !== 'roundingAmount')
      .map((name) => ['/totals', changed.totals, name] as const),
  ];
  const [path, object, name] = places[choice % places.length] as (typeof places)[number];
  const amounts = object as unknown as Record<string, number>;
  const before = amounts[name] ?? 0;
  amounts[name] = before + off;
  return { pointer: `${path}/${name}`, changed, before };
}

test('property: the costs of the lines are together the amount with VAT, negative in a credit note', async () => {
  await fc.assert(
    fc.asyncProperty(requests, async (request) => {
      const { invoice } = await complete(request);
      const costs = lineCosts(invoice);
      const signed = (amount: number) => (invoice.type === 'credit_note' ? 0 - amount : amount);
      const { taxInclusiveAmount, taxAmount } = invoice.totals;
      expect(sum(costs.map(({ amount }) => amount))).toBe(signed(taxInclusiveAmount));
      expect(sum(costs.map((cost) => cost.taxAmount))).toBe(signed(taxAmount));
    }),
  );
});

test('a charge on an invoice that takes something back is shared by size, and VAT by what is taxed', async () => {
  const { invoice } = await complete({
    lines: [
      { text: 'Battery', unitPrice: '100', vatRate: '19' },
      { text: 'Old battery', quantity: '-1', unitPrice: '99', vatRate: '19' },
    ],
    charges: [{ amount: 1_990, vatRate: '19' }],
  });
  expect(lineCosts(invoice)).toEqual([
    { amount: 11_000 + 2_090, taxAmount: 2_090 },
    { amount: -8_910 - 1_693, taxAmount: -1_693 },
  ]);
});

test('charges that are taxed as no line is are shared together, not each by itself', async () => {
  const line = { text: 'Work', unitPrice: '100', vatRate: '19' };
  const { invoice } = await complete({
    lines: [line, line],
    charges: Array.from({ length: 100 }, (_, index) => ({
      amount: 1,
      vatRate: `0.${100 + index}`,
    })),
  });
  const cost = { amount: 10_000 + 1_900 + 50, taxAmount: 1_900 };
  expect(lineCosts(invoice)).toEqual([cost, cost]);
});

test('parts of a received breakdown that are taxed alike count together', async () => {
  const line = { text: 'Work', unitPrice: '100' };
  const { invoice } = await complete({
    lines: [
      { ...line, vatRate: '19' },
      { ...line, vatRate: '7' },
    ],
  });
  const half = { vatCategory: 'S', vatRate: '19', taxableAmount: 5_000, taxAmount: 950 } as const;
  const vatBreakdown = [half, { ...half, vatRate: '19.0' }, ...invoice.vatBreakdown.slice(1)];
  expect(lineCosts({ ...invoice, vatBreakdown })).toEqual(lineCosts(invoice));
});

test('a breakdown must have what is on the invoice, once', async () => {
  const lines = [{ text: 'Work', unitPrice: '10', vatRate: '19' }];
  const entry = {
    vatCategory: 'S',
    vatRate: '19.00',
    taxableAmount: 1_000,
    taxAmount: 190,
  } as const;
  const pointers = async (vatBreakdown: NewInvoice['vatBreakdown']) =>
    (await complete({ lines, vatBreakdown })).issues.map(({ pointer }) => pointer);
  expect(await pointers([entry])).toEqual([]);
  expect(await pointers([])).toEqual(['/vatBreakdown']);
  expect(await pointers([entry, { ...entry, taxableAmount: 0, taxAmount: 0 }])).toEqual([
    '/vatBreakdown/1',
  ]);
  expect(await pointers([{ ...entry, vatRate: '7' }])).toEqual([
    '/vatBreakdown/0',
    '/vatBreakdown',
  ]);
});

test('an amount that no JSON number holds exactly is refused', async () => {
  const lines = Array.from({ length: 10 }, () => ({
    text: 'Work',
    quantity: '999999999999',
    unitPrice: '10',
    vatRate: '19',
  }));
  expect((await complete({ lines })).issues.map(({ pointer }) => pointer)).toContain(
    '/totals/lineNetAmount',
  );
});

test('lines whose VAT no number holds exactly are refused, also where they cancel each other out', async () => {
  const line = { text: 'Work', unitPrice: '900719925474.91', vatRate: '999999999999' };
  const lines = [line, { ...line, quantity: '-1' }, { ...line, unitPrice: '1', vatRate: '19' }];
  expect((await complete({ lines })).issues).toEqual(
    ['/lines/0', '/lines/1'].map((pointer) => ({
      pointer,
      detail: 'The line with its VAT is too large to be calculated with.',
    })),
  );
});

test('other requests run between the lines that are calculated, by their allowances', async () => {
  const lines = Array.from({ length: 100 }, () => ({
    text: 'Work',
    unitPrice: '10',
    vatRate: '19',
    allowances: Array.from({ length: 49 }, () => ({ amount: 1 })),
  }));
  expect(await turnsOf(complete({ lines }))).toBeGreaterThanOrEqual((100 * 50) / partsAtOnce);
});
