import { DocumentError } from './document-error.ts';
import type { ElectronicInvoice } from './electronic-invoice.ts';
import { type Finding, Findings } from './finding.ts';
import { parseXml, tooMuch, xmlBounds } from './parse-xml.ts';
import { cii, ciiRoots } from './read-cii.ts';
import { ubl, ublRoots } from './read-ubl.ts';
import { checkRules } from './rules/check-rules.ts';
import { sizeOf, type XmlElement } from './xml-element.ts';
import { yieldBetweenElements } from './yield-between-elements.ts';

/** More than are kept: what is made of them is made at once. */
export const vatBounds = { totals: 1_000, parts: 1_000 };

/** Of one line, and of all that is outside of the lines: what is made of either is made at once. */
export const maxElementsOfPart = 10_000;

const roots = { ...ublRoots, ...ciiRoots };

/** An invoice in UBL or CII, with what its rules find. */
export async function readXmlInvoice(
  bytes: Uint8Array,
): Promise<{ invoice: ElectronicInvoice; findings: Finding[] }> {
  const root = await parseXml(bytes, ({ name, uri }) => {
    const namespaces = roots[`{${uri}}${name}`];
    if (namespaces) return namespaces;
    throw new DocumentError('unsupported', unsupportedRoot(name, uri));
  });
  const findings = new Findings();
  const syntax = root.name === 'CrossIndustryInvoice' ? cii : ubl;
  if (syntax.vatTotals(root).length > vatBounds.totals) {
    throw tooMuch('VAT totals', vatBounds.totals);
  }
  if (syntax.vatParts(root).length > vatBounds.parts) {
    throw tooMuch('parts of the VAT breakdown', vatBounds.parts);
  }
  const lines = syntax.lines(root);
  requireSmallParts(root, lines);
  const invoice = syntax.read(root, findings);
  const yieldAfter = yieldBetweenElements();
  for (const line of lines) {
    invoice.lines.push(syntax.readLine(line, findings));
    await yieldAfter(line);
  }
  await checkRules(invoice, findings);
  checkCurrencies(root, invoice, findings);
  return { invoice, findings: findings.list };
}

function requireSmallParts(root: XmlElement, lines: readonly XmlElement[]): void {
  // CII may have them in several elements.
  if (lines.length > xmlBounds.childrenOfElement) {
    throw tooMuch('lines', xmlBounds.childrenOfElement);
  }
  let outside = sizeOf(root);
  for (const line of lines) {
    const size = sizeOf(line);
    if (size > maxElementsOfPart) throw tooMuch('elements in a line', maxElementsOfPart);
    outside -= size;
  }
  if (outside > maxElementsOfPart) {
    throw tooMuch('elements outside of its lines', maxElementsOfPart);
  }
}

function unsupportedRoot(name: string, uri: string): string {
  const found = `The root is ${name.slice(0, 100)} of the namespace "${uri.slice(0, 200)}"`;
  if (uri.startsWith('urn:ferd:')) {
    return `${found}: ZUGFeRD 1 is not of EN 16931, send ZUGFeRD 2 or later.`;
  }
  return `${found}: an Invoice or CreditNote of UBL 2.1, or a CrossIndustryInvoice of UN/CEFACT D16B, is expected.`;
}

/** Every amount is in the currency of the invoice, but for the VAT total in that of the accounting. */
function checkCurrencies(
  element: XmlElement,
  { currency, vatCurrency }: ElectronicInvoice,
  findings: Findings,
): void {
  const visit = (at: XmlElement, isVat: boolean) => {
    const { currencyID } = at.attributes;
    const isOther = currency !== undefined && currencyID !== undefined && currencyID !== currency;
    if (isOther && !(isVat && currencyID === vatCurrency)) {
      const message = 'The amount is not in the currency of the invoice.';
      findings.add('FORMAT', 'BT-5', at, message, { found: currencyID, expected: currency });
    }
    for (const child of at.children) visit(child, isVat || child.name.startsWith('TaxTotal'));
  };
  visit(element, false);
}
