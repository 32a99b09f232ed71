import type { Module } from '../module.ts';
import { createInvoice } from './create-invoice.ts';
import { createInvoiceFromDocument } from './create-invoice-from-document.ts';
import { deleteInvoice } from './delete-invoice.ts';
import { getInvoice } from './get-invoice.ts';
import { invoiceFiles } from './invoice-scope.ts';

export const invoices: Module = {
  name: 'invoices',
  tag: { name: 'Invoices', description: 'Invoices of suppliers, and what vehicles cost.' },
  operations: [createInvoice, createInvoiceFromDocument, getInvoice, deleteInvoice],
  files: invoiceFiles,
};
