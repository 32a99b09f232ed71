import type { FileOwner } from '../module.ts';
import { invoiceFixed } from './invoice-contents.ts';
import { isEditable } from './invoice-status.ts';
import { lockInvoice } from './lock-invoice.ts';

/** The documents by which an invoice was approved stay. */
export const fixedFiles: Required<FileOwner>['fixed'] = {
  description: 'The file is uploaded, and the invoice is approved, paid or cancelled.',
  async findProblem(tx, { provider, entryId }) {
    const status = await lockInvoice(tx, provider.id, entryId);
    if (status === undefined || isEditable(status)) return undefined;
    return invoiceFixed(
      `The invoice is ${status}: its files can be replaced and removed while it is draft, open or disputed. Others can be added.`,
    );
  },
};
