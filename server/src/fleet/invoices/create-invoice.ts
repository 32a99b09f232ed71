import { etagOf } from '../../platform/http/etag.ts';
import { locationOf } from '../../platform/http/location.ts';
import { operation } from '../../platform/http/operation.ts';
import { invalidBody } from '../../platform/http/problem.ts';
import type { Dependencies } from '../dependencies.ts';
import { readProfile } from '../profile/public.ts';
import { completeInvoice } from './calculation/complete-invoice.ts';
import { etagHeader, InvoiceRequestSchema, InvoiceSchema } from './invoice.ts';
import {
  exampleCreditNote,
  exampleDraft,
  exampleNewInvoice,
  exampleRequest,
} from './invoice-examples.ts';
import { invoiceIssues, missingIssues, numberUsed } from './invoice-rules.ts';
import { insertInvoice } from './invoice-store.ts';

export const createInvoice = operation({
  id: 'createInvoice',
  method: 'POST',
  path: '/invoices',
  tag: 'Invoices',
  role: 'editor',
  origin: 'motorpool',
  summary: 'Record an invoice',
  description:
    'Adds an invoice or a credit note of a supplier. Amounts that are left out are calculated; those that are sent are checked ' +
    'to the minor unit by the rules of EN 16931, and 400 tells of each that is wrong what it must be. A draft may be incomplete. ' +
    'Files are announced and uploaded afterwards.',
  parameters: {},
  body: {
    schema: InvoiceRequestSchema,
    required: true,
    rules: invoiceIssues,
    examples: {
      invoice: {
        summary: 'A workshop’s invoice, amounts left to the service',
        value: exampleRequest,
      },
      creditNote: { summary: 'A credit note with its amounts', value: exampleCreditNote },
      draft: { summary: 'A draft', value: exampleDraft },
    },
  },
  responses: {
    201: {
      description: 'The invoice, new.',
      schema: InvoiceSchema,
      example: exampleNewInvoice,
      headers: { Location: 'The path of the invoice.', ...etagHeader },
    },
  },
  notFound: ['linked vehicle', 'linked record'],
  problems: numberUsed,
  workload: 'batch',
  async handler({ provider, body }, { db, clock }: Dependencies) {
    const currency = body.currency ?? (await readProfile(db, provider.id)).profile.currency;
    const { status = 'open' } = body;
    const { invoice, issues } = await completeInvoice(body, { currency, status });
    issues.push(...missingIssues(invoice));
    if (issues.length > 0) throw invalidBody(issues);
    const stored = await db.transaction((tx) => insertInvoice(tx, provider, invoice, clock.now()));
    const location = locationOf(provider, 'invoices', stored.invoice.id);
    const headers = { location, etag: etagOf(stored.version) };
    return { status: 201, headers, body: stored.invoice };
  },
});
