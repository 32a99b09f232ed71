import { isDeepStrictEqual } from 'node:util';
import { Problem } from '../../platform/http/problem.ts';
import { decimal } from './calculation/money.ts';
import type { NewInvoice } from './invoice.ts';
import { isEditable } from './invoice-status.ts';

/** Whether two invoices say the same: all but the status, the note, and how the lines are assigned. */
export function hasSameContents(one: NewInvoice, other: NewInvoice): boolean {
  return isDeepStrictEqual(contentsOf(one), contentsOf(other));
}

/** 409 when the contents change of an invoice that was approved. */
export function requireEditable({ status }: NewInvoice): void {
  if (isEditable(status)) return;
  throw new Problem(409, 'invoice-fixed', 'The invoice can no longer be corrected', {
    detail:
      `The invoice is ${status}: its status, its note, and the kinds and links of its lines can be changed, ` +
      'and the rest while it is draft, open or disputed.',
  });
}

const ofRecord = ['id', 'status', 'note', 'blobs', 'createdAt', 'updatedAt'];
const ofAssignment = [
  'kind',
  'vehicleId',
  'chargingSessionId',
  'maintenanceReportId',
  'logbookEntryId',
  'incidentId',
];

function contentsOf({ lines, ...invoice }: NewInvoice): unknown {
  const contents = lines.map((line) => without(line, ofAssignment));
  return canonical({ ...without(invoice, ofRecord), lines: contents });
}

function without(value: object, names: readonly string[]): object {
  return Object.fromEntries(Object.entries(value).filter(([name]) => !names.includes(name)));
}

const decimals = ['quantity', 'unitPrice', 'priceBaseQuantity', 'vatRate', 'percentage'];

/** The same for decimals that are written differently, and for lists that are empty or absent. */
function canonical(value: unknown, name = ''): unknown {
  if (typeof value === 'string' && decimals.includes(name)) return decimal(value).toFixed();
  if (Array.isArray(value)) return value.map((one) => canonical(one));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, one]) => one !== undefined && !(Array.isArray(one) && one.length === 0))
      .map(([key, one]) => [key, canonical(one, key)]),
  );
}
