import { etagOf } from '../../platform/http/etag.ts';
import { operation } from '../../platform/http/operation.ts';
import { notFound } from '../../platform/http/problem.ts';
import type { Dependencies } from '../dependencies.ts';
import { etagHeader, InvoiceSchema } from './invoice.ts';
import { exampleInvoice } from './invoice-examples.ts';
import { invoiceIdOf, invoiceParameter } from './invoice-scope.ts';
import { readInvoiceDocument } from './invoice-store.ts';

export const getInvoice = operation({
  id: 'getInvoice',
  method: 'GET',
  path: '/invoices/{invoiceId}',
  tag: 'Invoices',
  role: 'viewer',
  origin: 'motorpool',
  summary: 'Read an invoice',
  description: 'Returns one invoice, with its lines and files.',
  parameters: invoiceParameter,
  responses: {
    200: {
      description: 'The invoice.',
      schema: InvoiceSchema,
      example: exampleInvoice,
      headers: etagHeader,
    },
  },
  notFound: ['invoice'],
  workload: 'batch',
  async handler({ provider, parameters }, { db }: Dependencies) {
    const id = invoiceIdOf(parameters);
    const stored = await db.transaction((tx) => readInvoiceDocument(tx, provider, id), 'read only');
    if (!stored) throw notFound('invoice');
    return { status: 200, headers: { etag: etagOf(stored.version) }, body: stored.document };
  },
});
