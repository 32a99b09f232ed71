import PDFDocument from 'pdfkit';

/** A valid XRechnung of a workshop in UBL: two lines, an allowance and a charge on the document, one on a line. */
export function ublInvoice({ number = 'R-1', note = 'Kennzeichen HH-MP 1001' } = {}): string {
  return `<?xml version="1.0" encoding="UTF-8"?>
<Invoice xmlns="urn:oasis:names:specification:ubl:schema:xsd:Invoice-2" xmlns:cac="urn:oasis:names:specification:ubl:schema:xsd:CommonAggregateComponents-2" xmlns:cbc="urn:oasis:names:specification:ubl:schema:xsd:CommonBasicComponents-2">
  <cbc:CustomizationID>urn:cen.eu:en16931:2017#compliant#urn:xeinkauf.de:kosit:xrechnung_3.0</cbc:CustomizationID>
  <cbc:ProfileID>urn:fdc:peppol.eu:2017:poacc:billing:01:1.0</cbc:ProfileID>
  <cbc:ID>${number}</cbc:ID>
  <cbc:IssueDate>2026-10-30</cbc:IssueDate>
  <cbc:DueDate>2026-11-13</cbc:DueDate>
  <cbc:InvoiceTypeCode>380</cbc:InvoiceTypeCode>
  <cbc:Note>Thank you &amp; drive safely</cbc:Note>
  <cbc:DocumentCurrencyCode>EUR</cbc:DocumentCurrencyCode>
  <cbc:BuyerReference>04011000-12345-03</cbc:BuyerReference>
  <cac:InvoicePeriod><cbc:StartDate>2026-10-01</cbc:StartDate><cbc:EndDate>2026-10-31</cbc:EndDate></cac:InvoicePeriod>
  <cac:OrderReference><cbc:ID>4500012345</cbc:ID></cac:OrderReference>
  <cac:BillingReference><cac:InvoiceDocumentReference><cbc:ID>R-0</cbc:ID></cac:InvoiceDocumentReference></cac:BillingReference>
  <cac:AdditionalDocumentReference><cbc:ID>report</cbc:ID><cac:Attachment><cbc:EmbeddedDocumentBinaryObject mimeCode="application/pdf" filename="report.pdf">JVBERg==</cbc:EmbeddedDocumentBinaryObject></cac:Attachment></cac:AdditionalDocumentReference>
  <cac:AccountingSupplierParty><cac:Party>
    <cbc:EndpointID schemeID="EM">rechnung@werkstatt.example</cbc:EndpointID>
    <cac:PostalAddress><cbc:StreetName>Werkstraße 3</cbc:StreetName><cbc:CityName>Hamburg</cbc:CityName><cbc:PostalZone>20457</cbc:PostalZone><cac:Country><cbc:IdentificationCode>DE</cbc:IdentificationCode></cac:Country></cac:PostalAddress>
    <cac:PartyTaxScheme><cbc:CompanyID>DE123456788</cbc:CompanyID><cac:TaxScheme><cbc:ID>VAT</cbc:ID></cac:TaxScheme></cac:PartyTaxScheme>
    <cac:PartyLegalEntity><cbc:RegistrationName>Werkstatt Mitte GmbH</cbc:RegistrationName><cbc:CompanyID>HRB 12345</cbc:CompanyID></cac:PartyLegalEntity>
  </cac:Party></cac:AccountingSupplierParty>
  <cac:AccountingCustomerParty><cac:Party>
    <cbc:EndpointID schemeID="EM">eingang@fleet.example</cbc:EndpointID>
    <cac:PostalAddress><cbc:CityName>Berlin</cbc:CityName><cbc:PostalZone>10115</cbc:PostalZone><cac:Country><cbc:IdentificationCode>DE</cbc:IdentificationCode></cac:Country></cac:PostalAddress>
    <cac:PartyLegalEntity><cbc:RegistrationName>Fleet GmbH</cbc:RegistrationName></cac:PartyLegalEntity>
  </cac:Party></cac:AccountingCustomerParty>
  <cac:PayeeParty><cac:PartyName><cbc:Name>Factoring AG</cbc:Name></cac:PartyName></cac:PayeeParty>
  <cac:TaxRepresentativeParty><cac:PartyName><cbc:Name>Tax Agents</cbc:Name></cac:PartyName><cac:PostalAddress><cac:Country><cbc:IdentificationCode>DE</cbc:IdentificationCode></cac:Country></cac:PostalAddress><cac:PartyTaxScheme><cbc:CompanyID>DE987654321</cbc:CompanyID><cac:TaxScheme><cbc:ID>VAT</cbc:ID></cac:TaxScheme></cac:PartyTaxScheme></cac:TaxRepresentativeParty>
  <cac:Delivery><cbc:ActualDeliveryDate>2026-10-28</cbc:ActualDeliveryDate><cac:DeliveryLocation><cac:Address><cac:Country><cbc:IdentificationCode>DE</cbc:IdentificationCode></cac:Country></cac:Address></cac:DeliveryLocation></cac:Delivery>
  <cac:PaymentMeans><cbc:PaymentMeansCode>58</cbc:PaymentMeansCode><cac:PayeeFinancialAccount><cbc:ID>DE75512108001245126199</cbc:ID></cac:PayeeFinancialAccount></cac:PaymentMeans>
  <cac:AllowanceCharge><cbc:ChargeIndicator>false</cbc:ChargeIndicator><cbc:AllowanceChargeReason>Discount</cbc:AllowanceChargeReason><cbc:Amount currencyID="EUR">10.00</cbc:Amount>${category('TaxCategory')}</cac:AllowanceCharge>
  <cac:AllowanceCharge><cbc:ChargeIndicator>true</cbc:ChargeIndicator><cbc:AllowanceChargeReasonCode>FC</cbc:AllowanceChargeReasonCode><cbc:Amount currencyID="EUR">5.00</cbc:Amount>${category('TaxCategory')}</cac:AllowanceCharge>
  <cac:TaxTotal><cbc:TaxAmount currencyID="EUR">27.13</cbc:TaxAmount><cac:TaxSubtotal><cbc:TaxableAmount currencyID="EUR">142.80</cbc:TaxableAmount><cbc:TaxAmount currencyID="EUR">27.13</cbc:TaxAmount>${category('TaxCategory')}</cac:TaxSubtotal></cac:TaxTotal>
  <cac:LegalMonetaryTotal>
    <cbc:LineExtensionAmount currencyID="EUR">147.80</cbc:LineExtensionAmount>
    <cbc:TaxExclusiveAmount currencyID="EUR">142.80</cbc:TaxExclusiveAmount>
    <cbc:TaxInclusiveAmount currencyID="EUR">169.93</cbc:TaxInclusiveAmount>
    <cbc:AllowanceTotalAmount currencyID="EUR">10.00</cbc:AllowanceTotalAmount>
    <cbc:ChargeTotalAmount currencyID="EUR">5.00</cbc:ChargeTotalAmount>
    <cbc:PayableAmount currencyID="EUR">169.93</cbc:PayableAmount>
  </cac:LegalMonetaryTotal>
  <cac:InvoiceLine>
    <cbc:ID>1</cbc:ID>
    <cbc:Note>${note}</cbc:Note>
    <cbc:InvoicedQuantity unitCode="LTR">4.5</cbc:InvoicedQuantity>
    <cbc:LineExtensionAmount currencyID="EUR">47.80</cbc:LineExtensionAmount>
    <cac:InvoicePeriod><cbc:StartDate>2026-10-01</cbc:StartDate><cbc:EndDate>2026-10-02</cbc:EndDate></cac:InvoicePeriod>
    <cac:AllowanceCharge><cbc:ChargeIndicator>false</cbc:ChargeIndicator><cbc:AllowanceChargeReason>Returned can</cbc:AllowanceChargeReason><cbc:Amount currencyID="EUR">2.00</cbc:Amount></cac:AllowanceCharge>
    <cac:AllowanceCharge><cbc:ChargeIndicator>true</cbc:ChargeIndicator><cbc:AllowanceChargeReason>Disposal</cbc:AllowanceChargeReason><cbc:Amount currencyID="EUR">0.30</cbc:Amount></cac:AllowanceCharge>
    <cac:Item><cbc:Description>5W-30</cbc:Description><cbc:Name>Engine oil</cbc:Name><cac:StandardItemIdentification><cbc:ID schemeID="0160">4012345000009</cbc:ID></cac:StandardItemIdentification><cac:CommodityClassification><cbc:ItemClassificationCode listID="STI">15121501</cbc:ItemClassificationCode></cac:CommodityClassification>${category('ClassifiedTaxCategory')}<cac:AdditionalItemProperty><cbc:Name>Brand</cbc:Name><cbc:Value>X</cbc:Value></cac:AdditionalItemProperty></cac:Item>
    <cac:Price><cbc:PriceAmount currencyID="EUR">11</cbc:PriceAmount><cac:AllowanceCharge><cbc:ChargeIndicator>false</cbc:ChargeIndicator><cbc:Amount currencyID="EUR">1</cbc:Amount><cbc:BaseAmount currencyID="EUR">12</cbc:BaseAmount></cac:AllowanceCharge></cac:Price>
  </cac:InvoiceLine>
  <cac:InvoiceLine>
    <cbc:ID>2</cbc:ID>
    <cbc:InvoicedQuantity unitCode="HUR">1</cbc:InvoicedQuantity>
    <cbc:LineExtensionAmount currencyID="EUR">100.00</cbc:LineExtensionAmount>
    <cac:Item><cbc:Name>Labour</cbc:Name>${category('ClassifiedTaxCategory')}</cac:Item>
    <cac:Price><cbc:PriceAmount currencyID="EUR">100</cbc:PriceAmount></cac:Price>
  </cac:InvoiceLine>
</Invoice>
`;
}

function category(name: string): string {
  return `<cac:${name}><cbc:ID>S</cbc:ID><cbc:Percent>19</cbc:Percent><cac:TaxScheme><cbc:ID>VAT</cbc:ID></cac:TaxScheme></cac:${name}>`;
}

/** The same as a credit note of UBL. */
export function ublCreditNote(options: { number?: string } = {}): string {
  return ublInvoice(options)
    .replaceAll(':Invoice-2"', ':CreditNote-2"')
    .replace(/<cbc:DueDate>.*<\/cbc:DueDate>/, '')
    .replaceAll(/<(\/?)Invoice([ >])/g, '<$1CreditNote$2')
    .replaceAll('InvoiceTypeCode', 'CreditNoteTypeCode')
    .replace('>380<', '>381<')
    .replaceAll('cac:InvoiceLine', 'cac:CreditNoteLine')
    .replaceAll('InvoicedQuantity', 'CreditedQuantity');
}

const cii = 'urn:un:unece:uncefact:data:standard:';

/** A valid invoice of a charging operator in CII, as Factur-X embeds it. */
export function ciiInvoice({ number = 'C-1', vin = 'WVWZZZE1ZMP000123' } = {}): string {
  const tax = `<ram:TypeCode>VAT</ram:TypeCode><ram:CategoryCode>S</ram:CategoryCode><ram:RateApplicablePercent>19.00</ram:RateApplicablePercent>`;
  const date = (day: string) => `<udt:DateTimeString format="102">${day}</udt:DateTimeString>`;
  return `<?xml version="1.0" encoding="UTF-8"?>
<rsm:CrossIndustryInvoice xmlns:rsm="${cii}CrossIndustryInvoice:100" xmlns:ram="${cii}ReusableAggregateBusinessInformationEntity:100" xmlns:udt="${cii}UnqualifiedDataType:100">
  <rsm:ExchangedDocumentContext><ram:GuidelineSpecifiedDocumentContextParameter><ram:ID>urn:cen.eu:en16931:2017</ram:ID></ram:GuidelineSpecifiedDocumentContextParameter></rsm:ExchangedDocumentContext>
  <rsm:ExchangedDocument><ram:ID>${number}</ram:ID><ram:TypeCode>380</ram:TypeCode><ram:IssueDateTime>${date('20261031')}</ram:IssueDateTime></rsm:ExchangedDocument>
  <rsm:SupplyChainTradeTransaction>
    <ram:IncludedSupplyChainTradeLineItem>
      <ram:AssociatedDocumentLineDocument><ram:LineID>1</ram:LineID></ram:AssociatedDocumentLineDocument>
      <ram:SpecifiedTradeProduct><ram:Name>Charging</ram:Name><ram:ApplicableProductCharacteristic><ram:Description>VIN</ram:Description><ram:Value>${vin}</ram:Value></ram:ApplicableProductCharacteristic></ram:SpecifiedTradeProduct>
      <ram:SpecifiedLineTradeAgreement><ram:NetPriceProductTradePrice><ram:ChargeAmount>0.4315</ram:ChargeAmount></ram:NetPriceProductTradePrice></ram:SpecifiedLineTradeAgreement>
      <ram:SpecifiedLineTradeDelivery><ram:BilledQuantity unitCode="KWH">41.27</ram:BilledQuantity></ram:SpecifiedLineTradeDelivery>
      <ram:SpecifiedLineTradeSettlement><ram:ApplicableTradeTax>${tax}</ram:ApplicableTradeTax><ram:SpecifiedTradeSettlementLineMonetarySummation><ram:LineTotalAmount>17.81</ram:LineTotalAmount></ram:SpecifiedTradeSettlementLineMonetarySummation></ram:SpecifiedLineTradeSettlement>
    </ram:IncludedSupplyChainTradeLineItem>
    <ram:ApplicableHeaderTradeAgreement>
      <ram:SellerTradeParty><ram:Name>Ladenetz AG</ram:Name><ram:PostalTradeAddress><ram:PostcodeCode>80331</ram:PostcodeCode><ram:LineOne>Netzweg 1</ram:LineOne><ram:CityName>München</ram:CityName><ram:CountryID>DE</ram:CountryID></ram:PostalTradeAddress><ram:SpecifiedTaxRegistration><ram:ID schemeID="VA">DE811907980</ram:ID></ram:SpecifiedTaxRegistration></ram:SellerTradeParty>
      <ram:BuyerTradeParty><ram:Name>Fleet GmbH</ram:Name><ram:PostalTradeAddress><ram:CountryID>DE</ram:CountryID></ram:PostalTradeAddress></ram:BuyerTradeParty>
    </ram:ApplicableHeaderTradeAgreement>
    <ram:ApplicableHeaderTradeDelivery><ram:ActualDeliverySupplyChainEvent><ram:OccurrenceDateTime>${date('20261030')}</ram:OccurrenceDateTime></ram:ActualDeliverySupplyChainEvent></ram:ApplicableHeaderTradeDelivery>
    <ram:ApplicableHeaderTradeSettlement>
      <ram:InvoiceCurrencyCode>EUR</ram:InvoiceCurrencyCode>
      <ram:ApplicableTradeTax><ram:CalculatedAmount>3.38</ram:CalculatedAmount><ram:BasisAmount>17.81</ram:BasisAmount>${tax}</ram:ApplicableTradeTax>
      <ram:SpecifiedTradePaymentTerms><ram:DueDateDateTime>${date('20261114')}</ram:DueDateDateTime></ram:SpecifiedTradePaymentTerms>
      <ram:SpecifiedTradeSettlementHeaderMonetarySummation><ram:LineTotalAmount>17.81</ram:LineTotalAmount><ram:TaxBasisTotalAmount>17.81</ram:TaxBasisTotalAmount><ram:TaxTotalAmount currencyID="EUR">3.38</ram:TaxTotalAmount><ram:GrandTotalAmount>21.19</ram:GrandTotalAmount><ram:DuePayableAmount>21.19</ram:DuePayableAmount></ram:SpecifiedTradeSettlementHeaderMonetarySummation>
    </ram:ApplicableHeaderTradeSettlement>
  </rsm:SupplyChainTradeTransaction>
</rsm:CrossIndustryInvoice>
`;
}

/** A PDF of one page with files attached to it. */
export function pdfWith(
  files: Record<string, string | Buffer>,
  text = 'An invoice',
): Promise<Buffer> {
  const pdf = new PDFDocument({ size: 'A4' });
  pdf.text(text);
  for (const [name, content] of Object.entries(files)) {
    pdf.file(Buffer.from(content), { name, type: 'text/xml' });
  }
  const { promise, resolve } = Promise.withResolvers<Buffer>();
  const chunks: Buffer[] = [];
  pdf.on('data', (chunk: Buffer) => chunks.push(chunk));
  pdf.on('end', () => resolve(Buffer.concat(chunks)));
  pdf.end();
  return promise;
}
