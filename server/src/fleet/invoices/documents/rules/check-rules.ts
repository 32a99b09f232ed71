import type { ElectronicInvoice } from '../electronic-invoice.ts';
import type { Findings } from '../finding.ts';
import { checkDecimals } from './decimals.ts';
import { checkDocument } from './document.ts';
import { checkLines } from './lines.ts';
import { checkParties } from './parties.ts';
import { checkTotals } from './totals.ts';
import { checkVatBreakdown } from './vat-breakdown.ts';
import { checkVatCategories } from './vat-categories.ts';

/** The business rules of EN 16931-1 that can be decided from the invoice alone. */
export function checkRules(invoice: ElectronicInvoice, findings: Findings): void {
  checkDocument(invoice, findings);
  checkParties(invoice, findings);
  checkLines(invoice, findings);
  checkTotals(invoice, findings);
  checkVatBreakdown(invoice, findings);
  checkVatCategories(invoice, findings);
  checkDecimals(invoice, findings);
}
