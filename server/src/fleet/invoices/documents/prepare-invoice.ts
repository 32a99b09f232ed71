import type { Queryable } from '../../../platform/db/database.ts';
import type { ProviderRef } from '../../../platform/http/operation.ts';
import { invalidBody, Problem } from '../../../platform/http/problem.ts';
import { readProfile } from '../../profile/public.ts';
import { completeInvoice } from '../calculation/complete-invoice.ts';
import type { NewInvoice } from '../invoice.ts';
import { DocumentError } from './document-error.ts';
import type { Finding } from './finding.ts';
import { documentHints, linkVehicles } from './link-vehicles.ts';
import { type ReadDocument, readDocument } from './read-document.ts';
import type { DocumentFormat } from './recognise-document.ts';
import { toInvoice } from './to-invoice.ts';

/** What is left of a document once it has been read. */
export type PreparedInvoice = {
  format: DocumentFormat;
  isElectronic: boolean;
  /** Makes the invoice, in the transaction that stores it. */
  make(tx: Queryable): Promise<NewInvoice>;
};

/** 400, 415 or 422 unless what it has is a valid invoice. */
export async function prepareInvoice(
  provider: ProviderRef,
  bytes: Buffer,
): Promise<PreparedInvoice> {
  const document = await read(bytes);
  const { format } = document;
  if (document.invoice)
    return { format, isElectronic: true, make: await electronicInvoice(provider, document) };
  const make = async (tx: Queryable) =>
    draftOf((await readProfile(tx, provider.id)).profile.currency);
  return { format, isElectronic: false, make };
}

async function read(document: Buffer): Promise<ReadDocument> {
  try {
    return await readDocument(document);
  } catch (error) {
    if (!(error instanceof DocumentError)) throw error;
    if (error.reason === 'malformed') throw invalidBody([{ pointer: '', detail: error.message }]);
    throw new Problem(415, 'unsupported-document', 'The document is not one that is read', {
      detail: error.message,
    });
  }
}

type Electronic = Extract<ReadDocument, { findings: Finding[] }>;

async function electronicInvoice(provider: ProviderRef, { invoice: source, findings }: Electronic) {
  requireValid(findings);
  const { invoice, findings: unstorable } = await toInvoice(source);
  requireValid(unstorable.list);
  const hints = await documentHints(source);
  return (tx: Queryable) => linkVehicles(tx, provider, hints, invoice);
}

async function draftOf(currency: string): Promise<NewInvoice> {
  return (await completeInvoice({}, { currency, status: 'draft' })).invoice;
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
