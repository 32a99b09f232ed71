import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import type { Queryable } from '../../platform/db/database.ts';
import { etagOf } from '../../platform/http/etag.ts';
import { locationOf } from '../../platform/http/location.ts';
import { operation, type ProviderRef } from '../../platform/http/operation.ts';
import { invalidBody, Problem } from '../../platform/http/problem.ts';
import type { Dependencies } from '../dependencies.ts';
import {
  announce,
  attachObject,
  limitSize,
  requirePlainBytes,
  storeObjects,
} from '../files/public.ts';
import { DocumentError } from './documents/document-error.ts';
import type { Finding } from './documents/finding.ts';
import { linkVehicles } from './documents/link-vehicles.ts';
import { type ReadDocument, readDocument } from './documents/read-document.ts';
import { createSlots } from './documents/slots.ts';
import { toInvoice } from './documents/to-invoice.ts';
import { exampleDocument } from './documents/workshop-invoice.ts';
import { etagHeader, InvoiceSchema } from './invoice.ts';
import { exampleInvoice } from './invoice-examples.ts';
import { numberUsed } from './invoice-rules.ts';
import { invoiceFiles } from './invoice-scope.ts';
import { insertInvoice, readInvoice, type StoredInvoice } from './invoice-store.ts';

const maxBytes = 20 * 1_048_576;
/** Documents are read whole: as many at once as memory is meant for. */
const slots = createSlots(3);

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
    'A VIN or licence plate in a line, in a reference or in a note links the line to the vehicle. The document is kept as a file of the invoice.',
  parameters: {},
  upload: {
    description: `The document, of at most ${maxBytes / 1_048_576} MiB.`,
    mediaTypes: ['application/xml', 'text/xml', 'application/pdf', 'application/octet-stream'],
    example: Buffer.from(exampleDocument),
  },
  responses: {
    201: {
      description: 'The invoice, new and open.',
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
  async handler({ provider, header, bytes }, dependencies: Dependencies) {
    const limitBytes = Math.min(maxBytes, dependencies.settings.uploadLimitBytes);
    requirePlainBytes(header, limitBytes);
    return slots.run(async () => {
      const document = await buffer(limitSize(bytes, limitBytes));
      const stored = await storeInvoice(dependencies, provider, document, await read(document));
      const location = locationOf(provider, 'invoices', stored.invoice.id);
      return {
        status: 201,
        headers: { location, etag: etagOf(stored.version) },
        body: stored.invoice,
      };
    });
  },
});

type Electronic = Extract<ReadDocument, { findings: Finding[] }>;

async function read(document: Buffer): Promise<Electronic> {
  try {
    const result = await readDocument(document);
    if (result.invoice) return result;
  } catch (error) {
    if (!(error instanceof DocumentError)) throw error;
    if (error.reason === 'malformed') throw invalidBody([{ pointer: '', detail: error.message }]);
    throw unsupportedDocument(error.message);
  }
  throw unsupportedDocument('The document has no electronic invoice in it.');
}

function unsupportedDocument(detail: string): Problem {
  return new Problem(415, 'unsupported-document', 'The document is not one that is read', {
    detail,
  });
}

async function storeInvoice(
  dependencies: Dependencies,
  provider: ProviderRef,
  document: Buffer,
  { invoice: source, findings, format }: Electronic,
): Promise<StoredInvoice> {
  requireValid(findings);
  const converted = toInvoice(source);
  requireValid(converted.findings.list);
  const now = dependencies.clock.now();
  let stored: StoredInvoice | undefined;
  await storeObjects(dependencies, provider, [Readable.from([document])], async (tx, [object]) => {
    const linked = await linkVehicles(tx, provider, source, converted.invoice);
    const { invoice } = await insertInvoice(tx, provider, linked, now);
    const file = {
      filename: `${invoice.number?.replaceAll(/[^\w.-]+/g, '_').slice(0, 100)}.${format}`,
      contentType: format === 'pdf' ? 'application/pdf' : 'application/xml',
    };
    if (object) await attachFile(tx, provider, invoice.id, file, object, now);
    stored = await readInvoice(tx, provider, invoice.id);
    return [];
  });
  if (!stored) throw new Error('the invoice that was stored is gone');
  return stored;
}

async function attachFile(
  tx: Queryable,
  provider: ProviderRef,
  entryId: string,
  file: { filename: string; contentType: string },
  object: { key: string; size: number },
  uploadedAt: Date,
): Promise<void> {
  const key = { vehicleId: null, entryId };
  const uuid = await announce(tx, invoiceFiles, provider.id, key, file, uploadedAt);
  const path = [provider.id, null, invoiceFiles.segment, entryId, uuid ?? null];
  await attachObject(tx, path, { ...object, uploadedAt });
}

/** 422 with every finding that makes the invoice invalid. */
function requireValid(findings: readonly Finding[]): void {
  const errors = findings.filter(({ severity }) => severity === 'error');
  if (errors.length === 0) return;
  const issues = errors.map(({ rule, term, path, message, found, expected }) => ({
    pointer: path,
    detail: `${rule}, ${term}: ${message}`,
    rule,
    term,
    ...(found !== undefined && { found }),
    ...(expected !== undefined && { expected }),
  }));
  const rules = [...new Set(errors.map(({ rule }) => rule))].slice(0, 10).join(', ');
  throw new Problem(422, 'invalid-invoice', 'The invoice breaks rules of EN 16931', {
    detail:
      issues.length === 1
        ? issues[0]?.detail
        : `The invoice has ${issues.length} issues: ${rules}.`,
    errors: issues,
  });
}
