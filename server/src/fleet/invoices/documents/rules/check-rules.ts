import { setImmediate } from 'node:timers/promises';
import type { ElectronicInvoice } from '../electronic-invoice.ts';
import type { Findings } from '../finding.ts';
import { checkDecimals } from './decimals.ts';
import { checkDocument } from './document.ts';
import { checkLines } from './lines.ts';
import { checkParties } from './parties.ts';
import { checkTotals } from './totals.ts';
import { checkVatBreakdown } from './vat-breakdown.ts';
import { checkVatCategories } from './vat-categories.ts';

const checks = [
  checkDocument,
  checkParties,
  checkLines,
  checkTotals,
  checkVatBreakdown,
  checkVatCategories,
  checkDecimals,
];

/** The business rules of EN 16931-1 that can be decided from the invoice alone; other requests run in between. */
export async function checkRules(invoice: ElectronicInvoice, findings: Findings): Promise<void> {
  for (const check of checks) {
    await check(invoice, findings);
    await setImmediate();
  }
}
