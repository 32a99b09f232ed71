import type { Big } from 'big.js';
import type { ElectronicInvoice, VatBreakdown } from '../electronic-invoice.ts';
import type { Findings } from '../finding.ts';
import { rounded, shown, zero } from './amounts.ts';
import { rootOf } from './document.ts';

/** BR-45 to BR-48, BR-CO-17 and BR-CO-18. */
export function checkVatBreakdown(invoice: ElectronicInvoice, findings: Findings): void {
  const { vatBreakdown } = invoice;
  if (vatBreakdown.length === 0) {
    findings.add('BR-CO-18', 'BG-23', rootOf(invoice), 'There is no VAT breakdown.');
  }
  for (const part of vatBreakdown) {
    const need = (value: unknown, rule: string, term: string, what: string) => {
      if (value === undefined)
        findings.addMissing(rule, term, part.at, `The VAT breakdown has no ${what}.`);
    };
    need(part.taxableAmount, 'BR-45', 'BT-116', 'taxable amount');
    need(part.taxAmount, 'BR-46', 'BT-117', 'tax amount');
    need(part.vat.code, 'BR-47', 'BT-118', 'VAT category');
    if (part.vat.code !== 'O') need(part.vat.rate, 'BR-48', 'BT-119', 'VAT rate');
    const expected = taxOf(part);
    if (!part.taxAmount || isNear(part.taxAmount.abs(), expected.abs(), invoice.syntax)) continue;
    const message = 'The tax amount is not the taxable amount (BT-116) times the rate (BT-119).';
    const values = { found: shown(part.taxAmount), expected: shown(expected) };
    findings.add('BR-CO-17', 'BT-117', part.at, message, values);
  }
}

export function taxOf({ taxableAmount, vat }: VatBreakdown): Big {
  return rounded((taxableAmount ?? zero).times(vat.rate ?? zero).div(100));
}

/**
 * The published validations accept a difference below one unit of the currency (UBL), or of one (CII), because the VAT
 * may have been rounded for each line. docs/decisions/0043-electronic-invoices.md
 */
export function isNear(amount: Big, expected: Big, syntax: ElectronicInvoice['syntax']): boolean {
  const difference = amount.minus(expected).abs();
  return syntax === 'UBL' ? difference.lt(1) : difference.lte(1);
}
