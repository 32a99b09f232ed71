import { Problem } from '../../platform/http/problem.ts';

export const invoiceStatuses = [
  'draft',
  'open',
  'approved',
  'disputed',
  'paid',
  'cancelled',
] as const;
export type InvoiceStatus = (typeof invoiceStatuses)[number];

/** From paid back to approved when a payment is returned; cancelled by mistake, it starts again as a draft. */
export const statusMoves: Record<InvoiceStatus, readonly InvoiceStatus[]> = {
  draft: ['open', 'cancelled'],
  open: ['approved', 'disputed', 'cancelled'],
  approved: ['paid', 'disputed', 'cancelled'],
  disputed: ['open', 'approved', 'cancelled'],
  paid: ['approved'],
  cancelled: ['draft'],
};

/** Those that are spent: what is not yet sure or was taken back does not count. */
export const countedStatuses: readonly InvoiceStatus[] = ['open', 'approved', 'disputed', 'paid'];

/** In these, the invoice has to be complete. */
export function mustBeComplete(status: InvoiceStatus): boolean {
  return countedStatuses.includes(status);
}

/** What the invoice says can be corrected only until it is approved. */
export function isEditable(status: InvoiceStatus): boolean {
  return status === 'draft' || status === 'open' || status === 'disputed';
}

export function requireMove(from: InvoiceStatus, to: InvoiceStatus): void {
  if (from === to || statusMoves[from].includes(to)) return;
  const allowed = statusMoves[from].join(', ');
  throw new Problem(409, 'status-move', 'The status cannot be changed so', {
    detail: `The invoice is ${from}, and cannot become ${to}: from ${from} it can become ${allowed}.`,
  });
}
