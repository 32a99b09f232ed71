import type { Module } from '../module.ts';
import { createInvoice } from './create-invoice.ts';
import { createInvoiceFromDocument } from './create-invoice-from-document.ts';
import { deleteInvoice } from './delete-invoice.ts';
import { seedInvoices } from './demo/seed-invoices.ts';
import { findCosts } from './find-costs.ts';
import { findInvoices } from './find-invoices.ts';
import { fixedFiles } from './fixed-files.ts';
import { getInvoice } from './get-invoice.ts';
import { getInvoiceOcr } from './get-invoice-ocr.ts';
import { invoiceEvents } from './invoice-events.ts';
import { invoiceFiles } from './invoice-scope.ts';
import { linkCompletedMaintenance } from './link-completed-maintenance.ts';
import { putInvoice } from './put-invoice.ts';
import {
  recogniseReceipt,
  recogniseReplaced,
  resumeReceipts,
} from './receipts/recognise-receipt.ts';

export const invoices: Module = {
  name: 'invoices',
  tag: { name: 'Invoices', description: 'Invoices of suppliers, and what vehicles cost.' },
  operations: [
    findInvoices,
    createInvoice,
    createInvoiceFromDocument,
    getInvoice,
    getInvoiceOcr,
    putInvoice,
    deleteInvoice,
    findCosts,
  ],
  recordEvents: [invoiceEvents],
  jobs: [recogniseReceipt, resumeReceipts],
  on: { maintenanceCompleted: linkCompletedMaintenance },
  files: {
    ...invoiceFiles,
    fixed: fixedFiles,
    onUpload: (tx, { provider, entryId, blobUuid }, context) =>
      recogniseReplaced(tx, { provider: provider.id, invoiceId: entryId }, blobUuid, context),
  },
  demo: seedInvoices,
};
