import { Big } from 'big.js';
import { isCreditNoteType } from './document-types.ts';
import type {
  Address,
  AllowanceCharge,
  ElectronicInvoice,
  Identifier,
  InvoiceLine,
  Party,
  Payment,
  Period,
  SupportingDocument,
  VatBreakdown,
  VatCategory,
} from './electronic-invoice.ts';
import type { Findings } from './finding.ts';
import { dateAt, decimalAt } from './read-values.ts';
import type { Syntax } from './syntax.ts';
import { elementAt, elementsAt, textAt, textOf, textsAt, type XmlElement } from './xml-element.ts';

const standard = 'urn:oasis:names:specification:ubl:schema:xsd:';

/** The namespaces of the roots that are read, with those of what is in them. */
export const ublRoots: Record<string, ReadonlySet<string>> = Object.fromEntries(
  ['Invoice', 'CreditNote'].map((name) => [
    `{${standard}${name}-2}${name}`,
    new Set([
      `${standard}${name}-2`,
      `${standard}CommonAggregateComponents-2`,
      `${standard}CommonBasicComponents-2`,
    ]),
  ]),
);

/** UBL 2.1 Invoice and CreditNote, by the binding of EN 16931-3-2. */
export const ubl: Syntax = {
  read,
  vatTotals: (root) => elementsAt(root, 'TaxTotal'),
  vatParts: (root) => elementsAt(root, 'TaxTotal/TaxSubtotal'),
  lines: (root) => elementsAt(root, `${root.name}Line`),
  readLine,
};

function read(root: XmlElement, findings: Findings): ElectronicInvoice {
  const typeCode = textAt(root, `${root.name}TypeCode`);
  const documents = elementsAt(root, 'AdditionalDocumentReference');
  const ofType = (code: string) =>
    documents.find((document) => textAt(document, 'DocumentTypeCode') === code);
  const vatTotals = elementsAt(root, 'TaxTotal').map((at) => ({
    at,
    amount: decimalAt(findings, at, 'TaxAmount', 'BT-110'),
    currency: elementAt(at, 'TaxAmount')?.attributes.currencyID,
    breakdown: elementsAt(at, 'TaxSubtotal').map((part) => readBreakdown(part, findings)),
  }));
  const seller = readParty(partyOf(root, 'AccountingSupplierParty/Party') ?? root);
  const payee = elementAt(root, 'PayeeParty');
  const representative = elementAt(root, 'TaxRepresentativeParty');
  const totals = elementAt(root, 'LegalMonetaryTotal') ?? root;
  const { allowances, charges } = readAllowanceCharges(root, findings, documentTerms);
  return {
    syntax: 'UBL',
    specification: textAt(root, 'CustomizationID'),
    businessProcess: textAt(root, 'ProfileID'),
    number: textAt(root, 'ID'),
    issueDate: dateAt(findings, root, 'IssueDate', 'BT-2'),
    typeCode,
    isCreditNote: root.name === 'CreditNote' || isCreditNoteType(typeCode),
    currency: textAt(root, 'DocumentCurrencyCode'),
    vatCurrency: textAt(root, 'TaxCurrencyCode'),
    taxPointDate: dateAt(findings, root, 'TaxPointDate', 'BT-7'),
    taxPointCode: textAt(root, 'InvoicePeriod/DescriptionCode'),
    dueDate:
      dateAt(findings, root, 'DueDate', 'BT-9') ??
      dateAt(findings, root, 'PaymentMeans/PaymentDueDate', 'BT-9'),
    paymentTerms: textAt(root, 'PaymentTerms/Note'),
    references: {
      buyer: textAt(root, 'BuyerReference'),
      project: textAt(root, 'ProjectReference/ID') ?? textAt(ofType('50'), 'ID'),
      contract: textAt(root, 'ContractDocumentReference/ID'),
      purchaseOrder: textAt(root, 'OrderReference/ID'),
      salesOrder: textAt(root, 'OrderReference/SalesOrderID'),
      receivingAdvice: textAt(root, 'ReceiptDocumentReference/ID'),
      despatchAdvice: textAt(root, 'DespatchDocumentReference/ID'),
      tender: textAt(root, 'OriginatorDocumentReference/ID'),
      object: textAt(ofType('130'), 'ID'),
      accounting: textAt(root, 'AccountingCost'),
    },
    notes: textsAt(root, 'Note'),
    precedingInvoices: elementsAt(root, 'BillingReference').map((at) => ({
      at,
      number: textAt(at, 'InvoiceDocumentReference/ID'),
      issueDate: dateAt(findings, at, 'InvoiceDocumentReference/IssueDate', 'BT-26'),
    })),
    seller,
    buyer: readParty(partyOf(root, 'AccountingCustomerParty/Party') ?? root),
    payee: payee && { ...readParty(payee), name: textAt(payee, 'PartyName/Name') },
    taxRepresentative: representative && {
      ...readParty(representative),
      name: textAt(representative, 'PartyName/Name'),
    },
    delivery: {
      date: dateAt(findings, root, 'Delivery/ActualDeliveryDate', 'BT-72'),
      addresses: elementsAt(root, 'Delivery/DeliveryLocation/Address').map(readAddress),
    },
    period: readPeriod(elementAt(root, 'InvoicePeriod'), findings, 'BT-73', 'BT-74'),
    payments: elementsAt(root, 'PaymentMeans').map(readPayment),
    allowances,
    charges,
    totals: {
      at: totals,
      lineNet: decimalAt(findings, totals, 'LineExtensionAmount', 'BT-106'),
      allowances: decimalAt(findings, totals, 'AllowanceTotalAmount', 'BT-107'),
      charges: decimalAt(findings, totals, 'ChargeTotalAmount', 'BT-108'),
      withoutVat: decimalAt(findings, totals, 'TaxExclusiveAmount', 'BT-109'),
      withVat: decimalAt(findings, totals, 'TaxInclusiveAmount', 'BT-112'),
      paid: decimalAt(findings, totals, 'PrepaidAmount', 'BT-113'),
      rounding: decimalAt(findings, totals, 'PayableRoundingAmount', 'BT-114'),
      due: decimalAt(findings, totals, 'PayableAmount', 'BT-115'),
      thirdParty: elementsAt(root, 'PrepaidPayment')
        .map((part) => decimalAt(findings, part, 'PaidAmount', 'BT-DEX-002') ?? new Big(0))
        .reduce((sum, amount) => sum.plus(amount), new Big(0)),
    },
    vatTotals,
    vatBreakdown: vatTotals.flatMap(({ breakdown }) => breakdown),
    supportingDocuments: documents.map(readDocument),
    lines: [],
  };
}

function partyOf(root: XmlElement, path: string): XmlElement | undefined {
  return elementAt(root, path) ?? elementAt(root, path.replace('/Party', ''));
}

const isVat = (scheme: XmlElement) => textAt(scheme, 'TaxScheme/ID')?.toUpperCase() === 'VAT';

function readParty(at: XmlElement): Party {
  const schemes = elementsAt(at, 'PartyTaxScheme');
  const endpoint = elementAt(at, 'EndpointID');
  const address = elementAt(at, 'PostalAddress');
  return {
    at,
    name: textAt(at, 'PartyLegalEntity/RegistrationName'),
    tradingName: textAt(at, 'PartyName/Name'),
    identifiers: elementsAt(at, 'PartyIdentification/ID')
      .filter(({ attributes }) => attributes.schemeID !== 'SEPA')
      .map(readIdentifier),
    legalRegistration: textAt(at, 'PartyLegalEntity/CompanyID'),
    vatIdentifiers: schemes
      .filter(isVat)
      .flatMap((scheme) => elementsAt(scheme, 'CompanyID'))
      .map(readIdentifier),
    taxRegistration: schemes
      .filter((scheme) => !isVat(scheme))
      .flatMap((scheme) => textsAt(scheme, 'CompanyID'))[0],
    electronicAddress: endpoint && readIdentifier(endpoint),
    address: address && readAddress(address),
  };
}

function readIdentifier(at: XmlElement): Identifier {
  return { at, value: textOf(at), scheme: at.attributes.schemeID?.trim() || undefined };
}

function readAddress(at: XmlElement): Address {
  return {
    at,
    lines: [
      ...textsAt(at, 'StreetName'),
      ...textsAt(at, 'AdditionalStreetName'),
      ...textsAt(at, 'AddressLine/Line'),
    ],
    city: textAt(at, 'CityName'),
    postalCode: textAt(at, 'PostalZone'),
    country: textAt(at, 'Country/IdentificationCode'),
  };
}

function readPeriod(
  at: XmlElement | undefined,
  findings: Findings,
  startTerm: string,
  endTerm: string,
): Period | undefined {
  return (
    at && {
      at,
      start: dateAt(findings, at, 'StartDate', startTerm),
      end: dateAt(findings, at, 'EndDate', endTerm),
      hasTaxPointCode: textAt(at, 'DescriptionCode') !== undefined,
    }
  );
}

function readPayment(at: XmlElement): Payment {
  return {
    at,
    typeCode: textAt(at, 'PaymentMeansCode'),
    remittance: textAt(at, 'PaymentID'),
    accounts: elementsAt(at, 'PayeeFinancialAccount').map((account) => ({
      at: account,
      value: textAt(account, 'ID'),
    })),
    cardNumbers: elementsAt(at, 'CardAccount/PrimaryAccountNumberID').map(readIdentifier),
  };
}

const documentTerms = {
  allowance: { amount: 'BT-92', base: 'BT-93', rate: 'BT-96' },
  charge: { amount: 'BT-99', base: 'BT-100', rate: 'BT-103' },
};
const lineTerms = {
  allowance: { amount: 'BT-136', base: 'BT-137', rate: 'BT-138' },
  charge: { amount: 'BT-141', base: 'BT-142', rate: 'BT-143' },
};

function readAllowanceCharges(parent: XmlElement, findings: Findings, terms: typeof lineTerms) {
  const allowances: AllowanceCharge[] = [];
  const charges: AllowanceCharge[] = [];
  for (const at of elementsAt(parent, 'AllowanceCharge')) {
    const isCharge = ['true', '1'].includes(textAt(at, 'ChargeIndicator') ?? '');
    const { amount, base, rate } = isCharge ? terms.charge : terms.allowance;
    (isCharge ? charges : allowances).push({
      at,
      amount: decimalAt(findings, at, 'Amount', amount),
      baseAmount: decimalAt(findings, at, 'BaseAmount', base),
      reason: textAt(at, 'AllowanceChargeReason'),
      reasonCode: textAt(at, 'AllowanceChargeReasonCode'),
      vat: readVat(at, 'TaxCategory', findings, rate),
    });
  }
  return { allowances, charges };
}

function readVat(at: XmlElement, path: string, findings: Findings, rateTerm: string): VatCategory {
  const category = elementsAt(at, path).find(isVat);
  return {
    code: textAt(category, 'ID'),
    rate: decimalAt(findings, category, 'Percent', rateTerm),
  };
}

function readBreakdown(at: XmlElement, findings: Findings): VatBreakdown {
  return {
    at,
    taxableAmount: decimalAt(findings, at, 'TaxableAmount', 'BT-116'),
    taxAmount: decimalAt(findings, at, 'TaxAmount', 'BT-117'),
    vat: readVat(at, 'TaxCategory', findings, 'BT-119'),
    exemptionReason: textAt(at, 'TaxCategory/TaxExemptionReason'),
    exemptionReasonCode: textAt(at, 'TaxCategory/TaxExemptionReasonCode'),
  };
}

function readDocument(at: XmlElement): SupportingDocument {
  const file = elementAt(at, 'Attachment/EmbeddedDocumentBinaryObject');
  return {
    at,
    reference: textAt(at, 'ID'),
    description: textAt(at, 'DocumentDescription'),
    filename: file?.attributes.filename,
  };
}

function readLine(at: XmlElement, findings: Findings): InvoiceLine {
  const quantity = elementAt(at, 'InvoicedQuantity') ?? elementAt(at, 'CreditedQuantity');
  const item = elementAt(at, 'Item');
  return {
    at,
    id: textAt(at, 'ID'),
    notes: textsAt(at, 'Note'),
    object: textAt(at, 'DocumentReference/ID'),
    quantity: decimalAt(findings, at, quantity?.name ?? 'InvoicedQuantity', 'BT-129'),
    unit: quantity?.attributes.unitCode?.trim() || undefined,
    net: decimalAt(findings, at, 'LineExtensionAmount', 'BT-131'),
    orderLine: textAt(at, 'OrderLineReference/LineID'),
    accounting: textAt(at, 'AccountingCost'),
    period: readPeriod(elementAt(at, 'InvoicePeriod'), findings, 'BT-134', 'BT-135'),
    ...readAllowanceCharges(at, findings, lineTerms),
    netPrice: decimalAt(findings, at, 'Price/PriceAmount', 'BT-146'),
    grossPrice: decimalAt(findings, at, 'Price/AllowanceCharge/BaseAmount', 'BT-148'),
    priceBase: decimalAt(findings, at, 'Price/BaseQuantity', 'BT-149'),
    vat: readVat(at, 'Item/ClassifiedTaxCategory', findings, 'BT-152'),
    itemName: textAt(item, 'Name'),
    itemDescription: textAt(item, 'Description'),
    itemIdentifiers: [
      ...textsAt(item, 'SellersItemIdentification/ID'),
      ...textsAt(item, 'BuyersItemIdentification/ID'),
      ...textsAt(item, 'ItemInstance/SerialID'),
    ],
    standardIdentifiers: elementsAt(item, 'StandardItemIdentification/ID').map(readIdentifier),
    classifications: elementsAt(item, 'CommodityClassification/ItemClassificationCode').map(
      (code) => ({ at: code, value: textOf(code), scheme: code.attributes.listID }),
    ),
    attributes: elementsAt(item, 'AdditionalItemProperty').map((attribute) => ({
      at: attribute,
      name: textAt(attribute, 'Name'),
      value: textAt(attribute, 'Value'),
    })),
    counted: true,
  };
}
