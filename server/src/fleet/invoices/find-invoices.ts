import Type from 'typebox';
import { ReadBudget } from '../../platform/db/read-budget.ts';
import { maxAnswerBytes } from '../../platform/http/large-json.ts';
import { operation } from '../../platform/http/operation.ts';
import { pageBody, pageResponse } from '../../platform/search/page.ts';
import { parseSearch } from '../../platform/search/parse-search.ts';
import { searchProperties, searchTextProperty } from '../../platform/search/request-schema.ts';
import { search } from '../../platform/search/search.ts';
import type { Dependencies } from '../dependencies.ts';
import { InvoiceSchema } from './invoice.ts';
import { exampleInvoice } from './invoice-examples.ts';
import { invoices } from './invoice-fields.ts';
import type { InvoiceRow } from './invoice-row.ts';
import { invoiceOfParts, readParts } from './invoice-store.ts';

const FindInvoicesSchema = Type.Object(
  {
    searchText: searchTextProperty(
      'Keeps invoices whose number, supplier, references or note, or the text of any of whose lines, includes the text, ' +
        'without regard to case.',
      'brake',
    ),
    ...searchProperties(invoices.fields, true),
  },
  { $id: 'FindInvoicesRequest', additionalProperties: false },
);

export const findInvoices = operation({
  id: 'findInvoices',
  method: 'POST',
  path: '/invoices/search',
  tag: 'Invoices',
  role: 'viewer',
  origin: 'motorpool',
  summary: 'Find invoices of an asset provider',
  description:
    'Returns the invoices that match the text and all filters, sorted and in pages; without a body, the 100 with the newest date. ' +
    'A filter on a field of lines or blobs asks whether any of them fits, each filter for itself.',
  parameters: {},
  body: {
    schema: FindInvoicesSchema,
    required: false,
    parse: (body) => parseSearch(invoices, body),
    examples: {
      search: {
        summary: 'Invoices to be paid, the next one first',
        value: {
          filters: [
            { field: 'status', value: 'approved' },
            { field: 'totals.payableAmount', operator: 'gt', value: 0 },
          ],
          sorting: [{ field: 'dueDate' }],
          pagination: { pageNumber: 0, pageSize: 25 },
        },
      },
      vehicle: {
        summary: 'Of a vehicle',
        value: {
          filters: [{ field: 'lines.vehicleId', value: exampleInvoice.lines[0]?.vehicleId }],
        },
      },
      text: { summary: 'By text', value: { searchText: 'service' } },
    },
  },
  responses: {
    200: pageResponse('FindInvoicesResponse', 'A page of invoices.', InvoiceSchema, exampleInvoice),
  },
  notFound: [],
  workload: 'search',
  async handler({ provider, body: request }, { db }: Dependencies) {
    return db.transaction(async (tx) => {
      const scope = { conditions: ['i.provider = $1'], values: [provider.id] };
      // In pieces, however few are shown: each can have a great many lines.
      const budget = new ReadBudget(maxAnswerBytes);
      const found = await search<InvoiceRow>(tx, invoices, scope, request, budget);
      const parts = await readParts(tx, provider, found.rows, budget);
      return { status: 200, body: pageBody(parts, found, { itemOf: invoiceOfParts }) };
    }, 'read only');
  },
});
