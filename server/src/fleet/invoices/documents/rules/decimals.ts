import type { Big } from 'big.js';
import type { ElectronicInvoice } from '../electronic-invoice.ts';
import type { Findings } from '../finding.ts';
import type { XmlElement } from '../xml-element.ts';
import { yieldBetweenElements } from '../yield-between-elements.ts';
import { shown } from './amounts.ts';

/** Amounts have two decimals at most (BR-DEC-01 to BR-DEC-28): only these can be kept in minor units. */
export async function checkDecimals(invoice: ElectronicInvoice, findings: Findings): Promise<void> {
  const check = (number: number, term: string, at: XmlElement, amount: Big | undefined) => {
    if (!amount || amount.eq(amount.round(2, 0))) return;
    const rule = `BR-DEC-${String(number).padStart(2, '0')}`;
    const message = 'An amount has two decimals at most.';
    findings.add(rule, term, at, message, { found: shown(amount) });
  };
  for (const { at, amount, baseAmount } of invoice.allowances) {
    check(1, 'BT-92', at, amount);
    check(2, 'BT-93', at, baseAmount);
  }
  for (const { at, amount, baseAmount } of invoice.charges) {
    check(5, 'BT-99', at, amount);
    check(6, 'BT-100', at, baseAmount);
  }
  const { totals } = invoice;
  check(9, 'BT-106', totals.at, totals.lineNet);
  check(10, 'BT-107', totals.at, totals.allowances);
  check(11, 'BT-108', totals.at, totals.charges);
  check(12, 'BT-109', totals.at, totals.withoutVat);
  for (const { at, amount, currency } of invoice.vatTotals) {
    if (currency === invoice.vatCurrency) check(15, 'BT-111', at, amount);
    else check(13, 'BT-110', at, amount);
  }
  check(14, 'BT-112', totals.at, totals.withVat);
  check(16, 'BT-113', totals.at, totals.paid);
  check(17, 'BT-114', totals.at, totals.rounding);
  check(18, 'BT-115', totals.at, totals.due);
  for (const { at, taxableAmount, taxAmount } of invoice.vatBreakdown) {
    check(19, 'BT-116', at, taxableAmount);
    check(20, 'BT-117', at, taxAmount);
  }
  const yieldAfter = yieldBetweenElements();
  for (const line of invoice.lines) {
    check(23, 'BT-131', line.at, line.net);
    for (const { at, amount, baseAmount } of line.allowances) {
      check(24, 'BT-136', at, amount);
      check(25, 'BT-137', at, baseAmount);
    }
    for (const { at, amount, baseAmount } of line.charges) {
      check(27, 'BT-141', at, amount);
      check(28, 'BT-142', at, baseAmount);
    }
    await yieldAfter(line.at);
  }
}
