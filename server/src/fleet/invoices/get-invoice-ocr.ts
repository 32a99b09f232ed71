import Type, { type Static } from 'typebox';
import { ReadBudget } from '../../platform/db/read-budget.ts';
import { operation } from '../../platform/http/operation.ts';
import { notFound } from '../../platform/http/problem.ts';
import { PageTextsSchema } from '../../platform/text-recognition/page-texts.ts';
import { recognitionFailures } from '../../platform/text-recognition/recognise-text.ts';
import type { Dependencies } from '../dependencies.ts';
import { exampleBlob } from '../files/public.ts';
import { invoiceIdOf, invoiceParameter } from './invoice-scope.ts';
import { type ReadingRow, readReading } from './receipts/reading-store.ts';
import { maxLineLength, suggestedFields } from './receipts/receipt-suggestions.ts';

const share = (description: string) => Type.Number({ minimum: 0, maximum: 1, description });

const InvoiceSuggestionSchema = Type.Object(
  {
    field: Type.Enum([...suggestedFields], {
      type: 'string',
      description: 'The field of the invoice, of its supplier, totals or lines.',
    }),
    value: Type.String({
      maxLength: maxLineLength,
      description: 'Its value; amounts are in minor units.',
    }),
    confidence: share('How sure it is.'),
    page: Type.Integer({ minimum: 1, description: 'The page, from 1 on.' }),
    box: Type.Object(
      {
        x: share('From the left edge, as a share of the width of the straightened page.'),
        y: share('From the upper edge, as a share of its height.'),
        width: share('As a share of its width.'),
        height: share('As a share of its height.'),
      },
      { additionalProperties: false, description: 'Where the line is that says so.' },
    ),
  },
  { $id: 'InvoiceSuggestion', additionalProperties: false },
);

const InvoiceOcrSchema = Type.Object(
  {
    status: Type.Enum(['NOT_STARTED', 'PROCESSING', 'PROCESSED', 'ERROR'], {
      type: 'string',
      description:
        'NOT_STARTED of an invoice that was typed in, came as an electronic one, or is no draft any more.',
    }),
    reason: Type.Optional(
      Type.String({ maxLength: 1_000, description: 'Why it could not be read.' }),
    ),
    blobUuid: Type.Optional(Type.String({ format: 'uuid', description: 'The file.' })),
    source: Type.Optional(
      Type.Enum(['text-layer', 'recognition'], {
        type: 'string',
        description: 'Whether the text stood in the file, or was recognised in a picture.',
      }),
    ),
    pageCount: Type.Optional(Type.Integer({ description: 'How many pages it has.' })),
    pages: PageTextsSchema,
    suggestions: Type.Array(InvoiceSuggestionSchema, { maxItems: suggestedFields.length }),
    readAt: Type.Optional(Type.String({ format: 'date-time', description: 'When it was read.' })),
  },
  { $id: 'InvoiceOcr', additionalProperties: false },
);
type InvoiceOcr = Static<typeof InvoiceOcrSchema>;

const exampleOcr: InvoiceOcr = {
  status: 'PROCESSED',
  blobUuid: exampleBlob.uuid,
  source: 'recognition',
  pageCount: 1,
  pages: ['Waschpark Nord GmbH\nBeleg-Nr. 4711\tDatum 02.11.2026\nSumme EUR\t14,90'],
  suggestions: [
    {
      field: 'payableAmount',
      value: '1490',
      confidence: 0.58,
      page: 1,
      box: { x: 0.11, y: 0.32, width: 0.74, height: 0.02 },
    },
  ],
  readAt: '2026-11-02T16:20:41.118Z',
};

// Serialized at once, so less than the page of a list may have.
const maxAnswerBytes = 4 * 1_048_576;

export const getInvoiceOcr = operation({
  id: 'getInvoiceOcr',
  method: 'GET',
  path: '/invoices/{invoiceId}/ocr',
  tag: 'Invoices',
  role: 'viewer',
  origin: 'motorpool',
  summary: 'Read what was recognised in the document of a draft',
  description:
    'Returns the text of a receipt that came as a picture or a PDF, and what it suggests for the invoice, with the confidence and the place on ' +
    'the page. Nothing is changed by it: a person takes what is right by overwriting the draft (putInvoice). With the ' +
    'draft it ends: text and suggestions may name persons, and are deleted when the invoice is opened or cancelled.',
  parameters: invoiceParameter,
  responses: {
    200: {
      description: 'The status, the text and the suggestions.',
      schema: InvoiceOcrSchema,
      example: exampleOcr,
    },
  },
  notFound: ['invoice'],
  async handler({ provider, parameters }, { db }: Dependencies) {
    const invoiceId = invoiceIdOf(parameters);
    return db.transaction(async (tx) => {
      const found = await tx.query('select 1 from invoices where provider = $1 and id = $2', [
        provider.id,
        invoiceId,
      ]);
      if (found.length === 0) throw notFound('invoice');
      const budget = new ReadBudget(maxAnswerBytes);
      const row = await readReading(tx, { provider: provider.id, invoiceId }, budget);
      return { status: 200, body: row ? ocrOf(row) : notStarted };
    }, 'read only');
  },
});

const notStarted: InvoiceOcr = { status: 'NOT_STARTED', pages: [], suggestions: [] };

function ocrOf(row: ReadingRow): InvoiceOcr {
  const { status, failure, source, page_count, page_texts, suggestions, read_at } = row;
  return {
    status,
    ...(failure && { reason: recognitionFailures[failure] }),
    blobUuid: row.blob_uuid,
    ...(source && { source }),
    ...(page_count !== null && { pageCount: page_count }),
    pages: page_texts,
    suggestions: suggestions.map(({ field, value, confidence, page, box }) => {
      const { x, y, width, height } = box;
      return { field, value, confidence, page, box: { x, y, width, height } };
    }),
    ...(read_at !== null && { readAt: read_at }),
  };
}
