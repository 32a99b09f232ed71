import type { Big } from 'big.js';
import type { ElectronicInvoice, Totals, VatBreakdown } from '../electronic-invoice.ts';
import type { Findings } from '../finding.ts';
import { rounded, shown, sumOf, zero } from './amounts.ts';

/** The document totals: BR-12 to BR-15, and what they add up to. */
export function checkTotals(invoice: ElectronicInvoice, findings: Findings): void {
  const { totals, allowances, charges, lines } = invoice;
  const need = (value: Big | undefined, rule: string, term: string, what: string) => {
    if (value === undefined) findings.addMissing(rule, term, totals.at, `The ${what} is missing.`);
  };
  need(totals.lineNet, 'BR-12', 'BT-106', 'sum of the net amounts of the lines');
  need(totals.withoutVat, 'BR-13', 'BT-109', 'total without VAT');
  need(totals.withVat, 'BR-14', 'BT-112', 'total with VAT');
  need(totals.due, 'BR-15', 'BT-115', 'amount due');

  const compare = (
    rule: string,
    term: string,
    found: Big | undefined,
    expected: Big,
    sum: string,
  ) => {
    if (found?.eq(expected)) return;
    findings.add(rule, term, totals.at, `It is not ${sum}.`, {
      found: shown(found),
      expected: shown(expected),
    });
  };
  if (totals.lineNet) {
    const net = rounded(sumOf(lines.filter(({ counted }) => counted).map((line) => line.net)));
    compare(
      'BR-CO-10',
      'BT-106',
      totals.lineNet,
      net,
      'the sum of the net amounts of the lines (BT-131)',
    );
  }
  if (totals.allowances || allowances.length > 0) {
    const sum = rounded(sumOf(allowances.map(({ amount }) => amount)));
    compare('BR-CO-11', 'BT-107', totals.allowances, sum, 'the sum of the allowances (BT-92)');
  }
  if (totals.charges || charges.length > 0) {
    const sum = rounded(sumOf(charges.map(({ amount }) => amount)));
    compare('BR-CO-12', 'BT-108', totals.charges, sum, 'the sum of the charges (BT-99)');
  }
  if (totals.withoutVat && totals.lineNet) {
    const sum = totals.lineNet.minus(totals.allowances ?? zero).plus(totals.charges ?? zero);
    const what = 'the net amounts of the lines, less allowances (BT-107), plus charges (BT-108)';
    compare('BR-CO-13', 'BT-109', totals.withoutVat, rounded(sum), what);
  }
  if (totals.due && totals.withVat) {
    compare('BR-CO-16', 'BT-115', totals.due, dueOf(totals, totals.withVat), dueText);
  }
  checkVatTotals(invoice, findings);
}

const dueText =
  'the total with VAT (BT-112), less what is paid (BT-113), plus the rounding (BT-114)';

function dueOf({ paid, rounding, thirdParty }: Totals, withVat: Big): Big {
  return rounded(
    withVat
      .minus(paid ?? zero)
      .plus(rounding ?? zero)
      .plus(thirdParty),
  );
}

function checkVatTotals(invoice: ElectronicInvoice, findings: Findings): void {
  const { syntax, totals, vatTotals, currency, vatCurrency } = invoice;
  // In CII the totals share one breakdown.
  const sums = new Map<VatBreakdown[], Big>();
  for (const { at, amount, breakdown } of vatTotals) {
    if (breakdown.length === 0) continue;
    const sum = sums.get(breakdown) ?? rounded(sumOf(breakdown.map(({ taxAmount }) => taxAmount)));
    sums.set(breakdown, sum);
    if (amount?.eq(sum)) continue;
    const message = 'The VAT total is not the sum of the VAT category tax amounts (BT-117).';
    const values = { found: shown(amount), expected: shown(sum) };
    findings.add('BR-CO-14', 'BT-110', at, message, values);
  }
  const isInAccountingCurrency = vatTotals.some((total) => total.currency === vatCurrency);
  if (vatCurrency !== undefined && !isInAccountingCurrency) {
    const message = 'The VAT total in the accounting currency (BT-6) is missing.';
    findings.add('BR-53', 'BT-111', totals.at, message, {
      found: `accounting currency ${vatCurrency}`,
    });
  }
  if (currency === undefined || !totals.withVat || !totals.withoutVat) return;
  const own = vatTotals.filter((total) => total.currency === currency);
  // CII may leave out the total of an invoice without VAT.
  if (syntax === 'CII' && totals.withVat.eq(totals.withoutVat) && own.length === 0) return;
  const [vat] = own;
  if (own.length !== 1 || !vat) {
    const message = `One VAT total (BT-110) in the currency of the invoice, ${currency}, is expected.`;
    findings.add('BR-CO-15', 'BT-110', totals.at, message, {
      found: String(own.length),
      expected: '1',
    });
    return;
  }
  const expected = rounded(totals.withoutVat.plus(vat.amount ?? zero));
  if (totals.withVat.eq(expected)) return;
  const message = 'It is not the total without VAT (BT-109) plus the VAT total (BT-110).';
  const values = { found: shown(totals.withVat), expected: shown(expected) };
  findings.add('BR-CO-15', 'BT-112', totals.at, message, values);
}
