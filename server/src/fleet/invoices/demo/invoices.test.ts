import { describe, expect, test } from 'vitest';
import { dateOf } from '../../../platform/time/instant.ts';
import { scopes } from '../../../testing/demo-seasons.ts';
import { logbooks } from '../../logbook/public.ts';
import { completeInvoice } from '../calculation/complete-invoice.ts';
import { invoiceIssues, missingIssues } from '../invoice-rules.ts';
import { demoInvoices } from './invoices.ts';

describe.each(
  scopes.map((scope) => ({ scope, name: `${scope.provider.id} ${dateOf(scope.clock.now())}` })),
)('$name', ({ scope }) => {
  const requests = demoInvoices(scope);
  const complete = () =>
    Promise.all(
      requests.map((request) =>
        completeInvoice(request, { currency: 'EUR', status: request.status ?? 'open' }),
      ),
    );

  test('every invoice would be accepted, and none is of the future', async () => {
    const completed = await complete();
    expect(requests.flatMap(invoiceIssues)).toEqual([]);
    expect(completed.flatMap(({ issues }) => issues)).toEqual([]);
    expect(completed.flatMap(({ invoice }) => missingIssues(invoice))).toEqual([]);
    const today = dateOf(scope.clock.now());
    expect(requests.filter(({ issueDate = '' }) => issueDate > today)).toEqual([]);
  });

  test('a supplier gives a number once, and all kinds of invoices are there', () => {
    const numbers = requests.map(({ supplier, number }) => `${supplier?.name} ${number}`);
    expect(new Set(numbers).size).toBe(numbers.length);
    const isRich = scope.extent === 'rich';
    const kinds = requests.flatMap(({ lines = [] }) => lines.map(({ kind }) => kind));
    const expectedKinds = [
      'energy',
      'fuel',
      'leasing',
      ...(isRich ? ['maintenance', 'repair'] : []),
    ];
    expect(kinds).toEqual(expect.arrayContaining(expectedKinds));
    const expectedStatuses = ['draft', 'paid', ...(isRich ? ['open', 'approved', 'disputed'] : [])];
    expect(requests.map(({ status }) => status)).toEqual(expect.arrayContaining(expectedStatuses));
    expect(requests.some(({ type }) => type === 'credit_note')).toBe(true);
  });

  test('a workshop charges what the logbook says that it cost', async () => {
    const completed = await complete();
    const costs = new Map(logbooks(scope).map(({ entry }) => [entry.id, entry.cost?.amount]));
    const bills = completed.filter(({ invoice }) => invoice.supplier?.name === 'Example Garage');
    expect(bills.length).toBeGreaterThan(0);
    for (const { invoice } of bills)
      expect(invoice.totals.payableAmount).toBe(costs.get(invoice.lines[0]?.logbookEntryId ?? ''));
  });
});
