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
  VatBreakdown,
  VatCategory,
} from './electronic-invoice.ts';
import type { Findings } from './finding.ts';
import { basicDateAt, decimalAt, decimalOf } from './read-values.ts';
import type { Syntax } from './syntax.ts';
import { elementAt, elementsAt, textAt, textOf, textsAt, type XmlElement } from './xml-element.ts';

const standard = 'urn:un:unece:uncefact:data:standard:';

export const ciiRoots: Record<string, ReadonlySet<string>> = {
  [`{${standard}CrossIndustryInvoice:100}CrossIndustryInvoice`]: new Set([
    `${standard}CrossIndustryInvoice:100`,
    `${standard}ReusableAggregateBusinessInformationEntity:100`,
    `${standard}UnqualifiedDataType:100`,
    `${standard}QualifiedDataType:100`,
  ]),
};

const settlementPath = 'SupplyChainTradeTransaction/ApplicableHeaderTradeSettlement';

/** UN/CEFACT Cross Industry Invoice D16B, by the binding of EN 16931-3-3. */
export const cii: Syntax = {
  read,
  vatTotals: (root) =>
    elementsAt(
      root,
      `${settlementPath}/SpecifiedTradeSettlementHeaderMonetarySummation/TaxTotalAmount`,
    ),
  vatParts: (root) => elementsAt(root, `${settlementPath}/ApplicableTradeTax`),
  lines: (root) => elementsAt(root, 'SupplyChainTradeTransaction/IncludedSupplyChainTradeLineItem'),
  readLine,
};

function read(root: XmlElement, findings: Findings): ElectronicInvoice {
  const context = elementAt(root, 'ExchangedDocumentContext');
  const document = elementAt(root, 'ExchangedDocument');
  const transaction = elementAt(root, 'SupplyChainTradeTransaction');
  const agreement = elementAt(transaction, 'ApplicableHeaderTradeAgreement');
  const delivery = elementAt(transaction, 'ApplicableHeaderTradeDelivery');
  const settlement = elementAt(transaction, 'ApplicableHeaderTradeSettlement');
  const totals = elementAt(settlement, 'SpecifiedTradeSettlementHeaderMonetarySummation');
  const documents = elementsAt(agreement, 'AdditionalReferencedDocument');
  const ofType = (code: string) =>
    textAt(
      documents.find((found) => textAt(found, 'TypeCode') === code),
      'IssuerAssignedID',
    );
  const typeCode = textAt(document, 'TypeCode');
  const currency = textAt(settlement, 'InvoiceCurrencyCode');
  const vatBreakdown = elementsAt(settlement, 'ApplicableTradeTax').map((part) =>
    readBreakdown(part, findings),
  );
  const payee = elementAt(settlement, 'PayeeTradeParty');
  const representative = elementAt(agreement, 'SellerTaxRepresentativeTradeParty');
  const period = elementAt(settlement, 'BillingSpecifiedPeriod');
  const remittance = textAt(settlement, 'PaymentReference');
  const { allowances, charges } = readAllowanceCharges(settlement, findings, documentTerms);
  const amount = (name: string, term: string) => decimalAt(findings, totals, name, term);
  return {
    syntax: 'CII',
    specification: textAt(context, 'GuidelineSpecifiedDocumentContextParameter/ID'),
    businessProcess: textAt(context, 'BusinessProcessSpecifiedDocumentContextParameter/ID'),
    number: textAt(document, 'ID'),
    issueDate: basicDateAt(findings, document, 'IssueDateTime/DateTimeString', 'BT-2'),
    typeCode,
    isCreditNote: isCreditNoteType(typeCode),
    currency,
    vatCurrency: textAt(settlement, 'TaxCurrencyCode'),
    taxPointDate: basicDateAt(
      findings,
      settlement,
      'ApplicableTradeTax/TaxPointDate/DateString',
      'BT-7',
    ),
    taxPointCode: textAt(settlement, 'ApplicableTradeTax/DueDateTypeCode'),
    dueDate: basicDateAt(
      findings,
      settlement,
      'SpecifiedTradePaymentTerms/DueDateDateTime/DateTimeString',
      'BT-9',
    ),
    paymentTerms: textAt(settlement, 'SpecifiedTradePaymentTerms/Description'),
    references: {
      buyer: textAt(agreement, 'BuyerReference'),
      project: textAt(agreement, 'SpecifiedProcuringProject/ID'),
      contract: textAt(agreement, 'ContractReferencedDocument/IssuerAssignedID'),
      purchaseOrder: textAt(agreement, 'BuyerOrderReferencedDocument/IssuerAssignedID'),
      salesOrder: textAt(agreement, 'SellerOrderReferencedDocument/IssuerAssignedID'),
      receivingAdvice: textAt(delivery, 'ReceivingAdviceReferencedDocument/IssuerAssignedID'),
      despatchAdvice: textAt(delivery, 'DespatchAdviceReferencedDocument/IssuerAssignedID'),
      tender: ofType('50'),
      object: ofType('130'),
      accounting: textAt(settlement, 'ReceivableSpecifiedTradeAccountingAccount/ID'),
    },
    notes: textsAt(document, 'IncludedNote/Content'),
    precedingInvoices: elementsAt(settlement, 'InvoiceReferencedDocument').map((at) => ({
      at,
      number: textAt(at, 'IssuerAssignedID'),
      issueDate: basicDateAt(findings, at, 'FormattedIssueDateTime/DateTimeString', 'BT-26'),
    })),
    seller: readParty(elementAt(agreement, 'SellerTradeParty') ?? root),
    buyer: readParty(elementAt(agreement, 'BuyerTradeParty') ?? root),
    payee: payee && readParty(payee),
    taxRepresentative: representative && readParty(representative),
    delivery: {
      date: basicDateAt(
        findings,
        delivery,
        'ActualDeliverySupplyChainEvent/OccurrenceDateTime/DateTimeString',
        'BT-72',
      ),
      addresses: elementsAt(delivery, 'ShipToTradeParty/PostalTradeAddress').map(readAddress),
    },
    period: readPeriod(period, findings, 'BT-73', 'BT-74'),
    payments: elementsAt(settlement, 'SpecifiedTradeSettlementPaymentMeans').map((at) =>
      readPayment(at, remittance),
    ),
    allowances,
    charges: [...charges, ...readLogistics(settlement, findings)],
    totals: {
      at: totals ?? root,
      lineNet: amount('LineTotalAmount', 'BT-106'),
      allowances: amount('AllowanceTotalAmount', 'BT-107'),
      charges: amount('ChargeTotalAmount', 'BT-108'),
      withoutVat: amount('TaxBasisTotalAmount', 'BT-109'),
      withVat: amount('GrandTotalAmount', 'BT-112'),
      paid: amount('TotalPrepaidAmount', 'BT-113'),
      rounding: amount('RoundingAmount', 'BT-114'),
      due: amount('DuePayableAmount', 'BT-115'),
      thirdParty: new Big(0),
    },
    vatTotals: elementsAt(totals, 'TaxTotalAmount').map((at) => ({
      at,
      amount: decimalOf(findings, at, 'BT-110'),
      currency: at.attributes.currencyID,
      breakdown: at.attributes.currencyID === currency ? vatBreakdown : [],
    })),
    vatBreakdown,
    supportingDocuments: documents.map((at) => ({
      at,
      reference: textAt(at, 'IssuerAssignedID'),
      description: textAt(at, 'Name'),
      filename: elementAt(at, 'AttachmentBinaryObject')?.attributes.filename,
    })),
    lines: [],
  };
}

function readParty(at: XmlElement): Party {
  const registrations = elementsAt(at, 'SpecifiedTaxRegistration/ID');
  const electronicAddress = elementAt(at, 'URIUniversalCommunication/URIID');
  const address = elementAt(at, 'PostalTradeAddress');
  return {
    at,
    name: textAt(at, 'Name'),
    tradingName: textAt(at, 'SpecifiedLegalOrganization/TradingBusinessName'),
    identifiers: [...elementsAt(at, 'ID'), ...elementsAt(at, 'GlobalID')].map(readIdentifier),
    legalRegistration: textAt(at, 'SpecifiedLegalOrganization/ID'),
    vatIdentifiers: registrations
      .filter(({ attributes }) => attributes.schemeID === 'VA')
      .map(readIdentifier),
    taxRegistration: textOf(registrations.find(({ attributes }) => attributes.schemeID === 'FC')),
    electronicAddress: electronicAddress && readIdentifier(electronicAddress),
    address: address && readAddress(address),
  };
}

function readIdentifier(at: XmlElement): Identifier {
  return { at, value: textOf(at), scheme: at.attributes.schemeID?.trim() || undefined };
}

function readAddress(at: XmlElement): Address {
  return {
    at,
    lines: ['LineOne', 'LineTwo', 'LineThree'].flatMap((name) => textsAt(at, name)),
    city: textAt(at, 'CityName'),
    postalCode: textAt(at, 'PostcodeCode'),
    country: textAt(at, 'CountryID'),
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
      start: basicDateAt(findings, at, 'StartDateTime/DateTimeString', startTerm),
      end: basicDateAt(findings, at, 'EndDateTime/DateTimeString', endTerm),
      hasTaxPointCode: false,
    }
  );
}

function readPayment(at: XmlElement, remittance: string | undefined): Payment {
  return {
    at,
    typeCode: textAt(at, 'TypeCode'),
    remittance,
    accounts: elementsAt(at, 'PayeePartyCreditorFinancialAccount').map((account) => ({
      at: account,
      value: textAt(account, 'IBANID') ?? textAt(account, 'ProprietaryID'),
    })),
    cardNumbers: elementsAt(at, 'ApplicableTradeSettlementFinancialCard/ID').map(readIdentifier),
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

function readAllowanceCharges(
  parent: XmlElement | undefined,
  findings: Findings,
  terms: typeof lineTerms,
) {
  const allowances: AllowanceCharge[] = [];
  const charges: AllowanceCharge[] = [];
  for (const at of elementsAt(parent, 'SpecifiedTradeAllowanceCharge')) {
    const isCharge = ['true', '1'].includes(textAt(at, 'ChargeIndicator/Indicator') ?? '');
    const { amount, base, rate } = isCharge ? terms.charge : terms.allowance;
    (isCharge ? charges : allowances).push({
      at,
      amount: decimalAt(findings, at, 'ActualAmount', amount),
      baseAmount: decimalAt(findings, at, 'BasisAmount', base),
      reason: textAt(at, 'Reason'),
      reasonCode: textAt(at, 'ReasonCode'),
      vat: readVat(elementsAt(at, 'CategoryTradeTax'), findings, rate),
    });
  }
  return { allowances, charges };
}

/** The profile EXTENDED charges for freight in a group of its own, which totals count as charges. */
function readLogistics(settlement: XmlElement | undefined, findings: Findings): AllowanceCharge[] {
  return elementsAt(settlement, 'SpecifiedLogisticsServiceCharge').map((at) => ({
    at,
    amount: decimalAt(findings, at, 'AppliedAmount', 'BT-99'),
    reason: textAt(at, 'Description'),
    vat: readVat(elementsAt(at, 'AppliedTradeTax'), findings, 'BT-103'),
  }));
}

const isVat = (tax: XmlElement) => textAt(tax, 'TypeCode')?.toUpperCase() === 'VAT';

function readVat(taxes: XmlElement[], findings: Findings, rateTerm: string): VatCategory {
  const tax = taxes.find(isVat);
  return {
    code: textAt(tax, 'CategoryCode'),
    rate: decimalAt(findings, tax, 'RateApplicablePercent', rateTerm),
  };
}

function readBreakdown(at: XmlElement, findings: Findings): VatBreakdown {
  return {
    at,
    taxableAmount: decimalAt(findings, at, 'BasisAmount', 'BT-116'),
    taxAmount: decimalAt(findings, at, 'CalculatedAmount', 'BT-117'),
    vat: readVat([at], findings, 'BT-119'),
    exemptionReason: textAt(at, 'ExemptionReason'),
    exemptionReasonCode: textAt(at, 'ExemptionReasonCode'),
  };
}

function readLine(at: XmlElement, findings: Findings): InvoiceLine {
  const document = elementAt(at, 'AssociatedDocumentLineDocument');
  const product = elementAt(at, 'SpecifiedTradeProduct');
  const agreement = elementAt(at, 'SpecifiedLineTradeAgreement');
  const settlement = elementAt(at, 'SpecifiedLineTradeSettlement');
  const quantity = elementAt(at, 'SpecifiedLineTradeDelivery/BilledQuantity');
  const summation = elementAt(settlement, 'SpecifiedTradeSettlementLineMonetarySummation');
  return {
    at,
    id: textAt(document, 'LineID'),
    notes: textsAt(document, 'IncludedNote/Content'),
    object: textAt(settlement, 'AdditionalReferencedDocument/IssuerAssignedID'),
    quantity: decimalOf(findings, quantity, 'BT-129'),
    unit: quantity?.attributes.unitCode?.trim() || undefined,
    net: decimalAt(findings, summation, 'LineTotalAmount', 'BT-131'),
    orderLine: textAt(agreement, 'BuyerOrderReferencedDocument/LineID'),
    accounting: textAt(settlement, 'ReceivableSpecifiedTradeAccountingAccount/ID'),
    period: readPeriod(
      elementAt(settlement, 'BillingSpecifiedPeriod'),
      findings,
      'BT-134',
      'BT-135',
    ),
    ...readAllowanceCharges(settlement, findings, lineTerms),
    netPrice: decimalAt(findings, agreement, 'NetPriceProductTradePrice/ChargeAmount', 'BT-146'),
    grossPrice: decimalAt(
      findings,
      agreement,
      'GrossPriceProductTradePrice/ChargeAmount',
      'BT-148',
    ),
    priceBase: decimalAt(findings, agreement, 'NetPriceProductTradePrice/BasisQuantity', 'BT-149'),
    vat: readVat(elementsAt(settlement, 'ApplicableTradeTax'), findings, 'BT-152'),
    itemName: textAt(product, 'Name'),
    itemDescription: textAt(product, 'Description'),
    itemIdentifiers: [
      ...textsAt(product, 'SellerAssignedID'),
      ...textsAt(product, 'BuyerAssignedID'),
      ...textsAt(product, 'IndividualTradeProductInstance/SerialID'),
    ],
    standardIdentifiers: elementsAt(product, 'GlobalID').map(readIdentifier),
    classifications: elementsAt(product, 'DesignatedProductClassification/ClassCode').map(
      (code) => ({ at: code, value: textOf(code), scheme: code.attributes.listID }),
    ),
    attributes: elementsAt(product, 'ApplicableProductCharacteristic').map((attribute) => ({
      at: attribute,
      name: textAt(attribute, 'Description'),
      value: textAt(attribute, 'Value'),
    })),
    counted: !['GROUP', 'INFORMATION'].includes(textAt(document, 'LineStatusReasonCode') ?? ''),
  };
}
