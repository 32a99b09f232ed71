import type { ElectronicInvoice, InvoiceLine } from './electronic-invoice.ts';
import type { Findings } from './finding.ts';
import type { XmlElement } from './xml-element.ts';

/** How invoices of a syntax are read; lines apart, as there may be many. */
export type Syntax = {
  /** The invoice without its lines. */
  read(root: XmlElement, findings: Findings): ElectronicInvoice;
  vatTotals(root: XmlElement): XmlElement[];
  /** Of the VAT breakdown. */
  vatParts(root: XmlElement): XmlElement[];
  lines(root: XmlElement): XmlElement[];
  readLine(line: XmlElement, findings: Findings): InvoiceLine;
};
