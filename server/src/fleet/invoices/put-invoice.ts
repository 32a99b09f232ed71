import { etagOf, requireMatch } from '../../platform/http/etag.ts';
import { operation } from '../../platform/http/operation.ts';
import { invalidBody, notFound } from '../../platform/http/problem.ts';
import type { Dependencies } from '../dependencies.ts';
import { readProfile } from '../profile/public.ts';
import { completeInvoice } from './calculation/complete-invoice.ts';
import {
  changedMeanwhile,
  etagHeader,
  InvoiceRequestSchema,
  InvoiceSchema,
  ifMatchHeader,
} from './invoice.ts';
import { hasSameContents, requireEditable } from './invoice-contents.ts';
import { exampleDraft, exampleInvoice, exampleRequest } from './invoice-examples.ts';
import { invoiceIssues, missingIssues, numberUsed } from './invoice-rules.ts';
import { invoiceIdOf, invoiceParameter } from './invoice-scope.ts';
import { requireMove } from './invoice-status.ts';
import { readInvoice, updateInvoice } from './invoice-store.ts';
import { lockLinkedVehicles } from './line-links.ts';
import { deleteReading } from './receipts/reading-store.ts';

export const putInvoice = operation({
  id: 'putInvoice',
  method: 'PUT',
  path: '/invoices/{invoiceId}',
  tag: 'Invoices',
  role: 'editor',
  origin: 'motorpool',
  summary: 'Overwrite an invoice, or move its status',
  description:
    'What the body leaves out is cleared or calculated, but for the status, which stays; the files of the invoice stay. ' +
    'Once it is approved, only its status, its note, and the kinds and links of its lines can be changed. ' +
    'A draft can become open or cancelled; open: approved, disputed or cancelled; approved: paid, disputed or cancelled; ' +
    'disputed: open, approved or cancelled; paid: approved, when the payment was returned; cancelled: draft.',
  parameters: invoiceParameter,
  requestHeaders: ifMatchHeader,
  body: {
    schema: InvoiceRequestSchema,
    required: true,
    rules: invoiceIssues,
    examples: {
      open: {
        summary: 'A draft that is complete now',
        value: { ...exampleRequest, status: 'open' },
      },
      draft: { summary: 'A draft that stays one', value: exampleDraft },
    },
  },
  responses: {
    200: {
      description: 'The invoice, overwritten.',
      schema: InvoiceSchema,
      example: exampleInvoice,
      headers: etagHeader,
    },
  },
  notFound: ['invoice', 'linked vehicle', 'linked record'],
  problems: {
    ...changedMeanwhile,
    409: `The status cannot be changed so, the invoice can no longer be corrected, or: ${numberUsed[409]}`,
  },
  workload: 'batch',
  async handler({ provider, parameters, header, body }, { db, clock }: Dependencies) {
    const id = invoiceIdOf(parameters);
    const currency = body.currency ?? (await readProfile(db, provider.id)).profile.currency;
    // Before the transaction, which would wait for it.
    const completed = await completeInvoice(body, { currency, status: body.status ?? 'draft' });
    return db.transaction(async (tx) => {
      await lockLinkedVehicles(tx, provider, completed.invoice.lines);
      const stored = await readInvoice(tx, provider, id, 'for no key update');
      if (!stored) throw notFound('invoice');
      const status = body.status ?? stored.invoice.status;
      const invoice = { ...completed.invoice, status };
      // What a document says is not checked again when only its status changes.
      const isSame = await hasSameContents(invoice, stored.invoice);
      const issues = [...(isSame ? [] : completed.issues), ...missingIssues(invoice)];
      if (issues.length > 0) throw invalidBody(issues);
      requireMatch(header('if-match'), stored.version);
      requireMove(stored.invoice.status, status);
      if (!isSame) requireEditable(stored.invoice);
      if (status !== 'draft') {
        await deleteReading(tx, { provider: provider.id, invoiceId: id });
      }
      const updated = await updateInvoice(tx, provider, id, invoice, clock.now());
      return { status: 200, headers: { etag: etagOf(updated.version) }, body: updated.invoice };
    });
  },
});
