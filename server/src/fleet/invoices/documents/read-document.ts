import { DocumentError } from './document-error.ts';
import type { ElectronicInvoice } from './electronic-invoice.ts';
import type { Finding } from './finding.ts';
import { pdfAttachments } from './pdf-attachments.ts';
import { readXmlInvoice } from './read-xml-invoice.ts';
import { type DocumentFormat, recogniseDocument } from './recognise-document.ts';

/** A document of an invoice: an electronic one, or one that has only a picture or text for people. */
export type ReadDocument =
  | { format: DocumentFormat; invoice: ElectronicInvoice; findings: Finding[] }
  | { format: Exclude<DocumentFormat, 'xml'>; invoice: undefined };

/** Rejects with a DocumentError where it is neither. */
export async function readDocument(bytes: Uint8Array): Promise<ReadDocument> {
  const format = recogniseDocument(bytes);
  if (format === undefined) {
    const message = 'The content is none of XML, PDF, PNG, JPEG, WebP, AVIF and TIFF.';
    throw new DocumentError('unsupported', message);
  }
  if (format === 'xml') return { format, ...(await readXmlInvoice(bytes)) };
  if (format === 'pdf') return readPdf(bytes);
  return { format, invoice: undefined };
}

/** The names that Factur-X, XRechnung and ZUGFeRD give to the attachment, the newest first. */
const attachmentNames = ['factur-x.xml', 'xrechnung.xml', 'zugferd-invoice.xml'];

async function readPdf(bytes: Uint8Array): Promise<ReadDocument> {
  const rank = (name: string) => {
    const index = attachmentNames.indexOf(name.toLowerCase());
    return index < 0 ? attachmentNames.length : index;
  };
  const attachments = await pdfAttachments(bytes);
  const named = attachments.filter(({ name }) => rank(name) < attachmentNames.length);
  // Beside the invoice, others may be attached that it refers to: they do not take its place where it cannot be read.
  const candidates = named.length > 0 ? named : attachments;
  let reason: DocumentError | undefined;
  for (const { bytes: xml } of candidates.toSorted((a, b) => rank(a.name) - rank(b.name))) {
    try {
      return { format: 'pdf', ...(await readXmlInvoice(xml)) };
    } catch (error) {
      if (!(error instanceof DocumentError)) throw error;
      if (named.length > 0) reason ??= error;
    }
  }
  if (reason) throw reason;
  return { format: 'pdf', invoice: undefined };
}
