import type { ValidationIssue } from '../../platform/http/problem.ts';
import { isCurrency } from '../cost.ts';
import { isCountry } from '../country.ts';
import { impliedRate } from './calculation/vat-key.ts';
import type { InvoiceRequest, NewInvoice } from './invoice.ts';
import type { InvoiceLineRequest } from './invoice-line.ts';
import { mustBeComplete } from './invoice-status.ts';

/** What is wrong with a request beyond its schema, whatever the state of the invoice. */
export function invoiceIssues(request: InvoiceRequest): ValidationIssue[] {
  const { currency, supplier, servicePeriod, lines = [], allowances = [], charges = [] } = request;
  const countryCode = supplier?.address?.countryCode;
  return [
    ...unless(
      currency === undefined || isCurrency(currency),
      '/currency',
      `${currency} is not a currency of ISO 4217.`,
    ),
    ...unless(
      countryCode === undefined || isCountry(countryCode),
      '/supplier/address/countryCode',
      `${countryCode} is not a country of ISO 3166-1.`,
    ),
    ...periodIssues('/servicePeriod', servicePeriod),
    ...allowances.flatMap((one, index) => vatIssues(`/allowances/${index}`, one)),
    ...charges.flatMap((one, index) => vatIssues(`/charges/${index}`, one)),
    ...(request.vatBreakdown ?? []).flatMap((one, index) =>
      vatIssues(`/vatBreakdown/${index}`, one),
    ),
    ...lines.flatMap((line, index) => lineIssues(`/lines/${index}`, line)),
  ];
}

function unless(holds: boolean, pointer: string, detail: string): ValidationIssue[] {
  return holds ? [] : [{ pointer, detail }];
}

/** What an invoice lacks that is no draft. */
export function missingIssues(invoice: NewInvoice): ValidationIssue[] {
  const { status, lines } = invoice;
  if (!mustBeComplete(status)) return [];
  const unlessDraft = 'unless the status is draft or cancelled';
  const missing = (['number', 'supplier', 'issueDate'] as const).filter(
    (name) => invoice[name] === undefined,
  );
  return [
    ...missing.map((name) => ({
      pointer: `/${name}`,
      detail: `${name} is required, ${unlessDraft}.`,
    })),
    ...unless(lines.length > 0, '/lines', `lines must have one line at least, ${unlessDraft}.`),
  ];
}

function lineIssues(pointer: string, line: InvoiceLineRequest): ValidationIssue[] {
  const { priceBaseQuantity = '1', vehicleId, servicePeriod } = line;
  const linked = (
    ['chargingSessionId', 'maintenanceReportId', 'logbookEntryId', 'incidentId'] as const
  ).filter((name) => line[name] !== undefined);
  return [
    ...unless(
      Number(priceBaseQuantity) > 0,
      `${pointer}/priceBaseQuantity`,
      'priceBaseQuantity must be above 0.',
    ),
    ...vatIssues(pointer, line),
    ...periodIssues(`${pointer}/servicePeriod`, servicePeriod),
    ...(vehicleId === undefined ? linked : []).map((name) => ({
      pointer: `${pointer}/${name}`,
      detail: `${name} is that of a vehicle: send vehicleId, too.`,
    })),
  ];
}

function vatIssues(
  pointer: string,
  { vatCategory = 'S', vatRate }: Pick<InvoiceLineRequest, 'vatCategory' | 'vatRate'>,
): ValidationIssue[] {
  const at = `${pointer}/vatRate`;
  if (vatCategory === 'O')
    return unless(vatRate === undefined, at, 'vatRate must be absent in the category O.');
  if (impliedRate(vatCategory) !== undefined)
    return unless(
      vatRate === undefined || Number(vatRate) === 0,
      at,
      `vatRate must be 0 in the category ${vatCategory}; found ${vatRate}.`,
    );
  if (vatRate === undefined)
    return [{ pointer: at, detail: `vatRate is required in the category ${vatCategory}.` }];
  return unless(
    vatCategory !== 'S' || Number(vatRate) > 0,
    at,
    'vatRate must be above 0 in the category S; found 0.',
  );
}

function periodIssues(pointer: string, period: InvoiceRequest['servicePeriod']): ValidationIssue[] {
  const { from, to } = period ?? {};
  const inOrder = from === undefined || to === undefined || from <= to;
  return unless(
    inOrder,
    `${pointer}/to`,
    `to must not be before from, which is ${from}; found ${to}.`,
  );
}

export const numberUsed = { 409: 'The supplier has another invoice of this number.' };
