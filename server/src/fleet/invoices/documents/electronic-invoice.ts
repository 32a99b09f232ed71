import type { Big } from 'big.js';
import type { XmlElement } from './xml-element.ts';

/**
 * An invoice in the semantic model of EN 16931-1; the terms are named in comments. What a document lacks is undefined:
 * the rules tell what must not be. `at` is the element of a group, for its place in the document.
 */
export type ElectronicInvoice = {
  syntax: 'UBL' | 'CII';
  /** BT-24 */ specification?: string;
  /** BT-23 */ businessProcess?: string;
  /** BT-1 */ number?: string;
  /** BT-2 */ issueDate?: string;
  /** BT-3 */ typeCode?: string;
  isCreditNote: boolean;
  /** BT-5 */ currency?: string;
  /** BT-6 */ vatCurrency?: string;
  /** BT-7 */ taxPointDate?: string;
  /** BT-8 */ taxPointCode?: string;
  /** BT-9 */ dueDate?: string;
  /** BT-20 */ paymentTerms?: string;
  /** BT-10 to BT-19 */ references: References;
  /** BG-1 */ notes: string[];
  /** BG-3 */ precedingInvoices: { at: XmlElement; number?: string; issueDate?: string }[];
  /** BG-4 */ seller: Party;
  /** BG-7 */ buyer: Party;
  /** BG-10 */ payee?: Party;
  /** BG-11 */ taxRepresentative?: Party;
  /** BG-13 */ delivery: Delivery;
  /** BG-14 */ period?: Period;
  /** BG-16 */ payments: Payment[];
  /** BG-20 */ allowances: AllowanceCharge[];
  /** BG-21 */ charges: AllowanceCharge[];
  /** BG-22 */ totals: Totals;
  /** BT-110 and BT-111, with the breakdown that adds up to it. */ vatTotals: VatTotal[];
  /** BG-23 */ vatBreakdown: VatBreakdown[];
  /** BG-24 */ supportingDocuments: SupportingDocument[];
  /** BG-25 */ lines: InvoiceLine[];
};

type References = {
  /** BT-10 */ buyer?: string;
  /** BT-11 */ project?: string;
  /** BT-12 */ contract?: string;
  /** BT-13 */ purchaseOrder?: string;
  /** BT-14 */ salesOrder?: string;
  /** BT-15 */ receivingAdvice?: string;
  /** BT-16 */ despatchAdvice?: string;
  /** BT-17 */ tender?: string;
  /** BT-18 */ object?: string;
  /** BT-19 */ accounting?: string;
};

/** A value with the scheme that it is of; both may be missing. */
export type Identifier = { at: XmlElement; value?: string; scheme?: string };

export type Party = {
  at: XmlElement;
  /** BT-27, BT-44, BT-59, BT-62 */ name?: string;
  /** BT-28, BT-45 */ tradingName?: string;
  /** BT-29, BT-46, BT-60 */ identifiers: Identifier[];
  /** BT-30, BT-47, BT-61 */ legalRegistration?: string;
  /** BT-31, BT-48, BT-63 */ vatIdentifiers: Identifier[];
  /** BT-32 */ taxRegistration?: string;
  /** BT-34, BT-49 */ electronicAddress?: Identifier;
  /** BG-5, BG-8, BG-12 */ address?: Address;
};

export type Address = {
  at: XmlElement;
  lines: string[];
  city?: string;
  postalCode?: string;
  country?: string;
};

type Delivery = {
  /** BT-72 */ date?: string;
  /** BG-15 */ addresses: Address[];
};

export type Period = { at: XmlElement; start?: string; end?: string; hasTaxPointCode: boolean };

export type Payment = {
  at: XmlElement;
  /** BT-81 */ typeCode?: string;
  /** BT-83 */ remittance?: string;
  /** BG-17 */ accounts: Identifier[];
  /** BT-87 */ cardNumbers: Identifier[];
};

export type VatCategory = { code?: string; rate?: Big };

export type AllowanceCharge = {
  at: XmlElement;
  /** BT-92, BT-99, BT-136, BT-141 */ amount?: Big;
  /** BT-93, BT-100, BT-137, BT-142 */ baseAmount?: Big;
  /** BT-97, BT-104, BT-139, BT-144 */ reason?: string;
  /** BT-98, BT-105, BT-140, BT-145 */ reasonCode?: string;
  /** BT-95 with BT-96, BT-102 with BT-103 */ vat: VatCategory;
};

export type Totals = {
  at: XmlElement;
  /** BT-106 */ lineNet?: Big;
  /** BT-107 */ allowances?: Big;
  /** BT-108 */ charges?: Big;
  /** BT-109 */ withoutVat?: Big;
  /** BT-112 */ withVat?: Big;
  /** BT-113 */ paid?: Big;
  /** BT-114 */ rounding?: Big;
  /** BT-115 */ due?: Big;
  /** What the extension of XRechnung collects for third parties, apart from the invoice (BT-DEX-002). */
  thirdParty: Big;
};

type VatTotal = {
  at: XmlElement;
  amount?: Big;
  currency?: string;
  breakdown: VatBreakdown[];
};

export type VatBreakdown = {
  at: XmlElement;
  /** BT-116 */ taxableAmount?: Big;
  /** BT-117 */ taxAmount?: Big;
  /** BT-118 with BT-119 */ vat: VatCategory;
  /** BT-120 */ exemptionReason?: string;
  /** BT-121 */ exemptionReasonCode?: string;
};

export type SupportingDocument = {
  at: XmlElement;
  /** BT-122 */ reference?: string;
  /** BT-123 */ description?: string;
  filename?: string;
};

export type InvoiceLine = {
  at: XmlElement;
  /** BT-126 */ id?: string;
  /** BT-127 */ notes: string[];
  /** BT-128 */ object?: string;
  /** BT-129 */ quantity?: Big;
  /** BT-130 */ unit?: string;
  /** BT-131 */ net?: Big;
  /** BT-132 */ orderLine?: string;
  /** BT-133 */ accounting?: string;
  /** BG-26 */ period?: Period;
  /** BG-27 */ allowances: AllowanceCharge[];
  /** BG-28 */ charges: AllowanceCharge[];
  /** BT-146 */ netPrice?: Big;
  /** BT-148 */ grossPrice?: Big;
  /** BT-149 */ priceBase?: Big;
  /** BG-30 */ vat: VatCategory;
  /** BT-153 */ itemName?: string;
  /** BT-154 */ itemDescription?: string;
  /** BT-155, BT-156 */ itemIdentifiers: string[];
  /** BT-157 */ standardIdentifiers: Identifier[];
  /** BT-158 */ classifications: Identifier[];
  /** BG-32 */ attributes: { at: XmlElement; name?: string; value?: string }[];
  /** Whether its net amount is counted; extensions have lines that group or inform. */
  counted: boolean;
};
