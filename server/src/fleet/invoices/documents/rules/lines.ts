import type { ElectronicInvoice, InvoiceLine } from '../electronic-invoice.ts';
import type { Findings } from '../finding.ts';
import { yieldBetweenElements } from '../yield-between-elements.ts';
import { shown } from './amounts.ts';
import { checkAllowances, checkOrder } from './document.ts';

export async function checkLines({ lines }: ElectronicInvoice, findings: Findings): Promise<void> {
  const yieldAfter = yieldBetweenElements();
  for (const line of lines) {
    checkLine(line, findings);
    await yieldAfter(line.at);
  }
}

function checkLine(line: InvoiceLine, findings: Findings): void {
  const need = (value: unknown, rule: string, term: string, what: string) => {
    if (value === undefined) findings.addMissing(rule, term, line.at, `The line has no ${what}.`);
  };
  need(line.id, 'BR-21', 'BT-126', 'identifier');
  need(line.itemName, 'BR-25', 'BT-153', 'item name');
  // What only groups or explains others has no price.
  if (!line.counted) return;
  need(line.quantity, 'BR-22', 'BT-129', 'invoiced quantity');
  need(line.unit, 'BR-23', 'BT-130', 'unit of measure');
  need(line.net, 'BR-24', 'BT-131', 'net amount');
  need(line.netPrice, 'BR-26', 'BT-146', 'item net price');
  need(line.vat.code, 'BR-CO-04', 'BT-151', 'VAT category');
  if (line.netPrice?.lt(0)) {
    const found = shown(line.netPrice);
    findings.add('BR-27', 'BT-146', line.at, 'The item net price is negative.', { found });
  }
  if (line.grossPrice?.lt(0)) {
    const found = shown(line.grossPrice);
    findings.add('BR-28', 'BT-148', line.at, 'The item gross price is negative.', { found });
  }
  if (line.period) {
    checkOrder(line.period, findings, 'BR-30', 'BT-135');
    if (line.period.start === undefined && line.period.end === undefined) {
      const message = 'The period of the line has neither a start nor an end.';
      findings.add('BR-CO-20', 'BG-26', line.period.at, message);
    }
  }
  checkAllowances(line.allowances, findings, {
    amount: ['BR-41', 'BT-136'],
    reason: ['BR-42', 'BR-CO-23', 'BT-139'],
  });
  checkAllowances(line.charges, findings, {
    amount: ['BR-43', 'BT-141'],
    reason: ['BR-44', 'BR-CO-24', 'BT-144'],
  });
  checkItem(line, findings);
}

function checkItem(line: InvoiceLine, findings: Findings): void {
  for (const { at, name, value } of line.attributes) {
    if (name !== undefined && value !== undefined) continue;
    const message = 'An item attribute has a name and a value.';
    findings.add('BR-54', name === undefined ? 'BT-160' : 'BT-161', at, message, {
      found: name ?? value,
    });
  }
  for (const { at, value, scheme } of line.standardIdentifiers) {
    if (scheme !== undefined) continue;
    const message = 'The item standard identifier has no scheme identifier.';
    findings.add('BR-64', 'BT-157', at, message, { found: value });
  }
  for (const { at, value, scheme } of line.classifications) {
    if (scheme !== undefined) continue;
    const message = 'The item classification identifier has no scheme identifier.';
    findings.add('BR-65', 'BT-158', at, message, { found: value });
  }
}
