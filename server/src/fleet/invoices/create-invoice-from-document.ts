import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import type { Queryable } from '../../platform/db/database.ts';
import { etagOf } from '../../platform/http/etag.ts';
import { locationOf } from '../../platform/http/location.ts';
import { type KeepAnswer, operation, type ProviderRef } from '../../platform/http/operation.ts';
import type { Dependencies } from '../dependencies.ts';
import {
  announce,
  attachObject,
  limitSize,
  requirePlainBytes,
  storageProblem,
  storeObjects,
  withTemporaryObject,
} from '../files/public.ts';
import { documentSlots, keepStart } from './documents/document-slots.ts';
import { type PreparedInvoice, prepareInvoice } from './documents/prepare-invoice.ts';
import { documentTypes } from './documents/recognise-document.ts';
import { exampleDocument } from './documents/workshop-invoice.ts';
import { etagHeader, InvoiceSchema } from './invoice.ts';
import { exampleInvoice } from './invoice-examples.ts';
import { numberUsed } from './invoice-rules.ts';
import { invoiceFiles } from './invoice-scope.ts';
import { insertInvoice, readInvoice, type StoredInvoice } from './invoice-store.ts';
import { addReading } from './receipts/reading-store.ts';
import { waitingReceipts } from './receipts/recognise-receipt.ts';

const maxBytes = 20 * 1_048_576;

export const createInvoiceFromDocument = operation({
  id: 'createInvoiceFromDocument',
  method: 'POST',
  path: '/invoices/documents',
  tag: 'Invoices',
  role: 'editor',
  origin: 'motorpool',
  summary: 'Make an invoice of a document',
  description:
    'Takes an electronic invoice of EN 16931 as it comes, and recognises it by its content, whatever its type is said to be: XML in UBL 2.1 ' +
    '(XRechnung, Peppol BIS Billing) or UN/CEFACT CII D16B, or a PDF that carries such XML (ZUGFeRD 2, Factur-X). The business rules of the ' +
    'standard are checked, and what fails is answered with the number of the rule, its place in the document, and the value found. ' +
    'A VIN or licence plate in a line, in a reference or in a note links the line to the vehicle. The document is kept as a file of the invoice. ' +
    'A picture, or a PDF without such XML, becomes a draft: its text is recognised afterwards, and getInvoiceOcr has what it suggests.',
  parameters: {},
  upload: {
    description: `The document, of at most ${maxBytes / 1_048_576} MiB.`,
    mediaTypes: [
      'application/xml',
      'text/xml',
      'application/pdf',
      'image/png',
      'image/jpeg',
      'image/webp',
      'image/avif',
      'image/tiff',
      'application/octet-stream',
    ],
    example: Buffer.from(exampleDocument),
  },
  responses: {
    201: {
      description: 'The invoice, new: open, or a draft of what is no electronic one.',
      schema: InvoiceSchema,
      example: exampleInvoice,
      headers: { Location: 'The path of the invoice.', ...etagHeader },
    },
  },
  notFound: [],
  problems: {
    ...numberUsed,
    400: 'The document is not well-formed, has a document type declaration, or is beyond a bound.',
    413: 'The document is larger than the service reads.',
    415: 'The content is no electronic invoice that is read, or is compressed by a Content-Encoding.',
    422: 'The invoice breaks rules of EN 16931: errors has the rule, the term, the place and the value found of each.',
  },
  async handler(
    { provider, header, bytes, stillAuthorized, keepAnswer },
    dependencies: Dependencies,
  ) {
    const limitBytes = Math.min(maxBytes, dependencies.settings.uploadLimitBytes);
    requirePlainBytes(header, limitBytes);
    // Kept in the store first, so that a slow client holds no memory.
    const start = keepStart(limitSize(bytes, limitBytes));
    return withTemporaryObject(dependencies, provider, start.upload, async (key, size) => {
      const load = () =>
        dependencies.blobs.get(key).catch((error) => {
          throw storageProblem(error);
        });
      // Whoever waits for the database, or for locks of the provider, holds no place and no bytes.
      const document = await documentSlots(start.bytes(), size).run(provider.id, async () =>
        prepareInvoice(provider, await buffer(await load())),
      );
      await stillAuthorized();
      const file = Readable.from(lazily(load), { objectMode: false });
      return storeInvoice(dependencies, provider, document, file, keepAnswer);
    });
  },
});

function created(provider: ProviderRef, { invoice, version }: StoredInvoice) {
  const location = locationOf(provider, 'invoices', invoice.id);
  return { status: 201 as const, headers: { location, etag: etagOf(version) }, body: invoice };
}

/** Opened when it is read: nobody closes what is never read. */
async function* lazily(load: () => Promise<Readable>): AsyncGenerator<Buffer> {
  yield* await load();
}

async function storeInvoice(
  dependencies: Dependencies,
  provider: ProviderRef,
  { format, isElectronic, make }: PreparedInvoice,
  bytes: Readable,
  keepAnswer: KeepAnswer,
): Promise<ReturnType<typeof created>> {
  const { clock, jobs } = dependencies;
  const now = clock.now();
  let answer: ReturnType<typeof created> | undefined;
  await storeObjects(dependencies, provider, [bytes], async (tx, [object]) => {
    const { invoice } = await insertInvoice(tx, provider, await make(tx), now);
    const name = invoice.number?.replaceAll(/[^\w.-]+/g, '_').slice(0, 100) ?? 'receipt';
    const { extension, contentType } = documentTypes[format];
    const file = { filename: `${name}.${extension}`, contentType };
    const uuid = await attachFile(tx, provider, invoice.id, file, object, now);
    if (!isElectronic) {
      const key = { provider: provider.id, invoiceId: invoice.id };
      await addReading(tx, key, uuid);
      await waitingReceipts.enqueue(tx, jobs, key);
    }
    const stored = await readInvoice(tx, provider, invoice.id);
    if (!stored) throw new Error('the invoice that was stored is gone');
    answer = created(provider, stored);
    await keepAnswer(tx, answer);
    return [];
  });
  if (!answer) throw new Error('the invoice was not stored');
  return answer;
}

async function attachFile(
  tx: Queryable,
  provider: ProviderRef,
  entryId: string,
  file: { filename: string; contentType: string },
  object: { key: string; size: number } | undefined,
  uploadedAt: Date,
): Promise<string> {
  const key = { vehicleId: null, entryId };
  const uuid = await announce(tx, invoiceFiles, provider.id, key, file, uploadedAt);
  if (uuid === undefined || !object) throw new Error('the file of a new invoice is not stored');
  const path = [provider.id, null, invoiceFiles.segment, entryId, uuid];
  await attachObject(tx, path, { ...object, uploadedAt });
  return uuid;
}
