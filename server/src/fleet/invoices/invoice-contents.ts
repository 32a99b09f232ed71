import { Problem } from '../../platform/http/problem.ts';
import { plainDecimal } from './calculation/money.ts';
import type { NewInvoice } from './invoice.ts';
import { isEditable } from './invoice-status.ts';
import { yieldBetweenLines } from './yield-between-lines.ts';

/** Whether two invoices say the same: all but the status, the note, and how the lines are assigned. */
export async function hasSameContents(one: NewInvoice, other: NewInvoice): Promise<boolean> {
  const [{ lines, ...rest }, { lines: otherLines, ...otherRest }] = [one, other];
  if (lines.length !== otherLines.length || !isSameRecord(rest, otherRest, ofRecord)) return false;
  const yieldAfter = yieldBetweenLines();
  for (const [index, line] of lines.entries()) {
    if (!isSameRecord(line, otherLines[index] ?? {}, ofAssignment)) return false;
    await yieldAfter(line);
  }
  return true;
}

/** 409 when the contents change of an invoice that was approved. */
export function requireEditable({ status }: NewInvoice): void {
  if (isEditable(status)) return;
  throw invoiceFixed(
    `The invoice is ${status}: its status, its note, and the kinds and links of its lines can be changed, ` +
      'and the rest while it is draft, open or disputed.',
  );
}

export function invoiceFixed(detail: string): Problem {
  return new Problem(409, 'invoice-fixed', 'The invoice can no longer be corrected', { detail });
}

const ofRecord = new Set(['id', 'status', 'note', 'blobs', 'createdAt', 'updatedAt']);
const ofAssignment = new Set([
  'kind',
  'vehicleId',
  'chargingSessionId',
  'maintenanceReportId',
  'logbookEntryId',
  'incidentId',
]);
const nothing: ReadonlySet<string> = new Set();
const decimals = new Set(['quantity', 'unitPrice', 'priceBaseQuantity', 'vatRate', 'percentage']);

/** Whether two objects are the same but for these properties. */
function isSameRecord(one: object, other: object, except = nothing): boolean {
  const names = new Set([...Object.keys(one), ...Object.keys(other)]);
  for (const name of names) {
    if (except.has(name)) continue;
    const values = [one, other].map((record) => (record as Record<string, unknown>)[name]);
    if (!isSame(values[0], values[1], name)) return false;
  }
  return true;
}

/** Also for decimals that are written differently, and for lists that are empty or absent. */
function isSame(one: unknown, other: unknown, name: string): boolean {
  if (Object.is(one, other)) return true;
  if (typeof one === 'string' && typeof other === 'string')
    return decimals.has(name) && plainDecimal(one) === plainDecimal(other);
  if (Array.isArray(one) || Array.isArray(other)) return isSameList(one, other);
  return isObject(one) && isObject(other) && isSameRecord(one, other);
}

function isSameList(one: unknown = [], other: unknown = []): boolean {
  if (!Array.isArray(one) || !Array.isArray(other) || one.length !== other.length) return false;
  return one.every((item, index) => isSame(item, other[index], ''));
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
