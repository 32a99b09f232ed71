import { uuidParameter } from '../../platform/http/path-parameter.ts';
import { requireUuid } from '../../platform/http/require-uuid.ts';
import type { FileOwner } from '../module.ts';
import { exampleInvoice } from './invoice-examples.ts';

/** The path parameter of every operation on one invoice. */
export const invoiceParameter = {
  invoiceId: uuidParameter('The id of the invoice.', exampleInvoice.id),
};

export function invoiceIdOf({ invoiceId }: Record<keyof typeof invoiceParameter, string>): string {
  return requireUuid(invoiceId, 'invoice');
}

export const invoiceFiles: FileOwner = {
  ofProvider: true,
  segment: 'invoices',
  name: 'Invoice',
  noun: 'invoice',
  phrase: 'an invoice',
  parameter: 'invoiceId',
  exampleId: exampleInvoice.id,
  table: 'invoices',
};
