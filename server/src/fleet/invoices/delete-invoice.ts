import { requireMatch } from '../../platform/http/etag.ts';
import { operation } from '../../platform/http/operation.ts';
import { notFound, Problem } from '../../platform/http/problem.ts';
import type { Dependencies } from '../dependencies.ts';
import { deleteWithBlobs } from '../files/public.ts';
import { changedMeanwhile, ifMatchHeader } from './invoice.ts';
import { invoiceIdOf, invoiceParameter } from './invoice-scope.ts';
import type { InvoiceStatus } from './invoice-status.ts';

export const deleteInvoice = operation({
  id: 'deleteInvoice',
  method: 'DELETE',
  path: '/invoices/{invoiceId}',
  tag: 'Invoices',
  role: 'editor',
  origin: 'motorpool',
  summary: 'Delete a draft of an invoice',
  description:
    'Deletes the draft and its files. Any other invoice has to be kept, also one that was open before: it is cancelled by its status. A second call answers 404.',
  parameters: invoiceParameter,
  requestHeaders: ifMatchHeader,
  responses: { 204: { description: 'The draft is deleted.' } },
  notFound: ['invoice'],
  problems: { ...changedMeanwhile, 409: 'The invoice is no draft, or was open before.' },
  async handler({ provider, parameters, header }, dependencies: Dependencies) {
    const id = invoiceIdOf(parameters);
    await deleteWithBlobs(dependencies, provider, 'invoices', id, async (tx) => {
      const [row] = await tx.query<InvoiceState>(
        `select version, status, was_open from ${invoiceRow} for update`,
        [provider.id, id],
      );
      if (!row) throw notFound('invoice');
      requireMatch(header('if-match'), row.version);
      requireDraft(row);
      await tx.query(`delete from ${invoiceRow}`, [provider.id, id]);
    });
    return { status: 204 };
  },
});

const invoiceRow = 'invoices where provider = $1 and id = $2';

type InvoiceState = { version: number; status: InvoiceStatus; was_open: boolean };

function requireDraft({ status, was_open }: InvoiceState): void {
  if (status === 'draft' && !was_open) return;
  const state = status === 'draft' ? 'was open before' : `is ${status}`;
  throw new Problem(409, 'not-a-draft', 'The invoice has to be kept', {
    detail: `The invoice ${state}; only what has always been a draft can be deleted. Set its status to cancelled instead, where that is allowed.`,
  });
}
