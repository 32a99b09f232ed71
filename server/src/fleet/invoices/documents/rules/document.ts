import { isTypeOfRoot } from '../document-types.ts';
import type { AllowanceCharge, ElectronicInvoice, Period } from '../electronic-invoice.ts';
import type { Findings } from '../finding.ts';
import { shown } from './amounts.ts';

/** What an invoice must have as a whole: BR-01 to BR-05, BR-CL-01, BR-16, and its groups at the level of the document. */
export function checkDocument(invoice: ElectronicInvoice, findings: Findings): void {
  const root = rootOf(invoice);
  const need = (value: string | undefined, rule: string, term: string, what: string) => {
    if (value === undefined) findings.addMissing(rule, term, root, `The ${what} is missing.`);
  };
  need(invoice.specification, 'BR-01', 'BT-24', 'specification identifier');
  need(invoice.number, 'BR-02', 'BT-1', 'invoice number');
  need(invoice.issueDate, 'BR-03', 'BT-2', 'issue date');
  need(invoice.typeCode, 'BR-04', 'BT-3', 'invoice type code');
  need(invoice.currency, 'BR-05', 'BT-5', 'invoice currency code');
  if (invoice.typeCode !== undefined && !isTypeOfRoot(invoice.typeCode, root.name)) {
    const message = `The invoice type code is none that a document of the root ${root.name} may have.`;
    findings.add('BR-CL-01', 'BT-3', root, message, { found: invoice.typeCode });
  }
  if (invoice.lines.length === 0) {
    findings.add('BR-16', 'BG-25', root, 'There is no invoice line.');
  }
  if (invoice.taxPointDate !== undefined && invoice.taxPointCode !== undefined) {
    findings.add(
      'BR-CO-03',
      'BT-7',
      root,
      'A VAT point date excludes a VAT point date code (BT-8).',
      {
        found: `${invoice.taxPointDate} and ${invoice.taxPointCode}`,
      },
    );
  }
  for (const { at, number } of invoice.precedingInvoices) {
    if (number === undefined) {
      findings.add('BR-55', 'BT-25', at, 'The reference to a preceding invoice has no number.');
    }
  }
  for (const { at, reference } of invoice.supportingDocuments) {
    if (reference === undefined) {
      findings.add('BR-52', 'BT-122', at, 'The supporting document has no reference.');
    }
  }
  if (invoice.period) {
    checkOrder(invoice.period, findings, 'BR-29', 'BT-74');
    const { at, start, end, hasTaxPointCode } = invoice.period;
    if (start === undefined && end === undefined && !hasTaxPointCode) {
      const message = 'The invoicing period has neither a start nor an end.';
      findings.add('BR-CO-19', 'BG-14', at, message);
    }
  }
  checkAllowances(invoice.allowances, findings, {
    amount: ['BR-31', 'BT-92'],
    category: ['BR-32', 'BT-95'],
    reason: ['BR-33', 'BR-CO-21', 'BT-97'],
  });
  checkAllowances(invoice.charges, findings, {
    amount: ['BR-36', 'BT-99'],
    category: ['BR-37', 'BT-102'],
    reason: ['BR-38', 'BR-CO-22', 'BT-104'],
  });
  checkPayments(invoice, findings);
}

type AllowanceTerms = {
  amount: [rule: string, term: string];
  category?: [rule: string, term: string];
  reason: [rule: string, sameRule: string, term: string];
};

export function checkAllowances(
  list: readonly AllowanceCharge[],
  findings: Findings,
  { amount, category, reason }: AllowanceTerms,
): void {
  for (const { at, ...entry } of list) {
    if (entry.amount === undefined) {
      findings.addMissing(amount[0], amount[1], at, 'The allowance or charge has no amount.');
    }
    if (category && entry.vat.code === undefined) {
      findings.add(category[0], category[1], at, 'The allowance or charge has no VAT category.');
    }
    if (entry.reason === undefined && entry.reasonCode === undefined) {
      for (const rule of reason.slice(0, 2)) {
        const message = 'The allowance or charge has neither a reason nor a reason code.';
        findings.add(rule, reason[2], at, message);
      }
    }
  }
}

export function checkOrder(period: Period, findings: Findings, rule: string, term: string): void {
  const { at, start, end } = period;
  if (start === undefined || end === undefined || end >= start) return;
  findings.add(rule, term, at, 'The period ends before it starts.', {
    found: end,
    expected: `${start} or later`,
  });
}

/** Credit transfers of any kind, and of SEPA (UNTDID 4461). */
const creditTransfers = new Set(['30', '58']);

function checkPayments({ payments, ...invoice }: ElectronicInvoice, findings: Findings): void {
  for (const { at, typeCode, accounts, cardNumbers } of payments) {
    if (typeCode === undefined) {
      findings.add('BR-49', 'BT-81', at, 'The payment instructions have no type code.');
    } else if (creditTransfers.has(typeCode)) {
      for (const account of accounts.filter(({ value }) => value === undefined)) {
        findings.add('BR-50', 'BT-84', account.at, 'The credit transfer has no payment account.');
      }
      if (!accounts.some(({ value }) => value !== undefined)) {
        findings.add('BR-61', 'BT-84', at, 'A credit transfer needs a payment account.', {
          found: `payment means ${typeCode}`,
        });
      }
    }
    for (const card of cardNumbers) {
      const digits = card.value?.length ?? 0;
      if (digits <= 10) continue;
      const message =
        'No more than the first six and the last four digits of a card should be given.';
      const found = `${digits} characters`;
      findings.add('BR-51', 'BT-87', card.at, message, { found, severity: 'warning' });
    }
  }
  const { dueDate, paymentTerms, totals, isCreditNote } = invoice;
  if (isCreditNote || !totals.due?.gt(0) || dueDate !== undefined || paymentTerms !== undefined)
    return;
  const message = 'An amount is due, and neither a due date nor payment terms (BT-20) are given.';
  findings.add('BR-CO-25', 'BT-9', totals.at, message, { found: `due ${shown(totals.due)}` });
}

export function rootOf({ totals: { at } }: ElectronicInvoice) {
  let root = at;
  while (root.parent) root = root.parent;
  return root;
}
