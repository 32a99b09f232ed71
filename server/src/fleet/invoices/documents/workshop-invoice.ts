import { exampleVehicle } from '../../vehicles/public.ts';
import { decimal } from '../calculation/money.ts';

type WorkshopInvoice = {
  number: string;
  issueDate: string;
  dueDate: string;
  deliveredOn: string;
  supplier: { name: string; vatId: string; street: string; postalCode: string; city: string };
  countryCode: string;
  buyer: string;
  vin: string;
  lines: readonly { text: string; quantity: string; unit: string; price: string }[];
};

const namespace = (name: string) => `urn:oasis:names:specification:ubl:schema:xsd:${name}-2`;
const vatRate = '19';

/** A workshop's electronic invoice in UBL (XRechnung), which names the vehicle by its VIN. */
export function workshopInvoice(invoice: WorkshopInvoice): string {
  const { supplier, countryCode } = invoice;
  const nets = invoice.lines.map(({ quantity, price }) => decimal(quantity).times(price).round(2));
  const net = nets.reduce((sum, one) => sum.plus(one), decimal(0));
  const tax = net.times(vatRate).div(100).round(2);
  const amount = (name: string, value: { toFixed(digits: number): string }) =>
    `<cbc:${name} currencyID="EUR">${value.toFixed(2)}</cbc:${name}>`;
  const category = (name: string) =>
    `<cac:${name}><cbc:ID>S</cbc:ID><cbc:Percent>${vatRate}</cbc:Percent><cac:TaxScheme><cbc:ID>VAT</cbc:ID></cac:TaxScheme></cac:${name}>`;
  const country = `<cac:Country><cbc:IdentificationCode>${countryCode}</cbc:IdentificationCode></cac:Country>`;
  const lines = invoice.lines.map(
    ({ text, quantity, unit, price }, index) => `
  <cac:InvoiceLine>
    <cbc:ID>${index + 1}</cbc:ID>
    <cbc:InvoicedQuantity unitCode="${unit}">${quantity}</cbc:InvoicedQuantity>
    ${amount('LineExtensionAmount', nets[index] ?? net)}
    <cac:Item><cbc:Name>${escaped(text)}</cbc:Name>${category('ClassifiedTaxCategory')}<cac:AdditionalItemProperty><cbc:Name>VIN</cbc:Name><cbc:Value>${invoice.vin}</cbc:Value></cac:AdditionalItemProperty></cac:Item>
    <cac:Price><cbc:PriceAmount currencyID="EUR">${price}</cbc:PriceAmount></cac:Price>
  </cac:InvoiceLine>`,
  );
  return `<?xml version="1.0" encoding="UTF-8"?>
<Invoice xmlns="${namespace('Invoice')}" xmlns:cac="${namespace('CommonAggregateComponents')}" xmlns:cbc="${namespace('CommonBasicComponents')}">
  <cbc:CustomizationID>urn:cen.eu:en16931:2017#compliant#urn:xeinkauf.de:kosit:xrechnung_3.0</cbc:CustomizationID>
  <cbc:ProfileID>urn:fdc:peppol.eu:2017:poacc:billing:01:1.0</cbc:ProfileID>
  <cbc:ID>${escaped(invoice.number)}</cbc:ID>
  <cbc:IssueDate>${invoice.issueDate}</cbc:IssueDate>
  <cbc:DueDate>${invoice.dueDate}</cbc:DueDate>
  <cbc:InvoiceTypeCode>380</cbc:InvoiceTypeCode>
  <cbc:DocumentCurrencyCode>EUR</cbc:DocumentCurrencyCode>
  <cbc:BuyerReference>Fleet</cbc:BuyerReference>
  <cac:AccountingSupplierParty><cac:Party>
    <cac:PostalAddress><cbc:StreetName>${escaped(supplier.street)}</cbc:StreetName><cbc:CityName>${escaped(supplier.city)}</cbc:CityName><cbc:PostalZone>${supplier.postalCode}</cbc:PostalZone>${country}</cac:PostalAddress>
    <cac:PartyTaxScheme><cbc:CompanyID>${supplier.vatId}</cbc:CompanyID><cac:TaxScheme><cbc:ID>VAT</cbc:ID></cac:TaxScheme></cac:PartyTaxScheme>
    <cac:PartyLegalEntity><cbc:RegistrationName>${escaped(supplier.name)}</cbc:RegistrationName></cac:PartyLegalEntity>
  </cac:Party></cac:AccountingSupplierParty>
  <cac:AccountingCustomerParty><cac:Party>
    <cac:PostalAddress>${country}</cac:PostalAddress>
    <cac:PartyLegalEntity><cbc:RegistrationName>${escaped(invoice.buyer)}</cbc:RegistrationName></cac:PartyLegalEntity>
  </cac:Party></cac:AccountingCustomerParty>
  <cac:Delivery><cbc:ActualDeliveryDate>${invoice.deliveredOn}</cbc:ActualDeliveryDate></cac:Delivery>
  <cac:TaxTotal>${amount('TaxAmount', tax)}<cac:TaxSubtotal>${amount('TaxableAmount', net)}${amount('TaxAmount', tax)}${category('TaxCategory')}</cac:TaxSubtotal></cac:TaxTotal>
  <cac:LegalMonetaryTotal>${amount('LineExtensionAmount', net)}${amount('TaxExclusiveAmount', net)}${amount('TaxInclusiveAmount', net.plus(tax))}${amount('PayableAmount', net.plus(tax))}</cac:LegalMonetaryTotal>${lines.join('')}
</Invoice>
`;
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}

export const exampleDocument = workshopInvoice({
  number: 'R-2026-2043',
  issueDate: '2026-10-30',
  dueDate: '2026-11-13',
  deliveredOn: '2026-10-28',
  supplier: {
    name: 'Werkstatt Mitte GmbH',
    vatId: 'DE123456788',
    street: 'Werkstraße 3',
    postalCode: '20457',
    city: 'Hamburg',
  },
  countryCode: 'DE',
  buyer: 'Fleet GmbH',
  vin: exampleVehicle.information.vin ?? '',
  lines: [
    { text: 'Labour, annual service', quantity: '1.5', unit: 'HUR', price: '98.50' },
    { text: 'Engine oil 5W-30', quantity: '4.5', unit: 'LTR', price: '12.3456' },
  ],
});
