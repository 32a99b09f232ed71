import type { FindInvoicesRequest, Invoice } from '@motorpool/client';
import {
  defaultPageSize,
  type FieldType,
  parseFilters,
  parseSorting,
  parseTableSearch,
  type TableSearch,
  toFilter,
} from '../../table/table-search.ts';

export const invoiceStatuses = [
  'open',
  'draft',
  'disputed',
  'approved',
  'paid',
  'cancelled',
] as const satisfies readonly Invoice['status'][];

export type InvoicesSearch = TableSearch & { status?: Invoice['status'] };

export function parseInvoicesSearch(search: Record<string, unknown>): InvoicesSearch {
  const status = invoiceStatuses.find((one) => one === search.status);
  return { ...parseTableSearch(search), ...(status && { status }) };
}

/** The fields that people filter by; their labels are in the catalogues. */
export const invoiceFieldTypes = {
  type: 'choice',
  'lines.kind': 'choice',
  number: 'text',
  'supplier.name': 'text',
  'lines.vehicleId': 'text',
  'lines.text': 'text',
  issueDate: 'date',
  dueDate: 'date',
  customerReference: 'text',
} as const satisfies Record<string, FieldType>;

const typeOf = (field: string): FieldType =>
  invoiceFieldTypes[field as keyof typeof invoiceFieldTypes] ?? 'text';

const defaultSort = '-issueDate';

/** What the list of an address asks the service for. */
export function invoicesRequest(search: InvoicesSearch): FindInvoicesRequest {
  return {
    ...(search.q && { searchText: search.q }),
    filters: [
      ...(search.status ? [{ field: 'status', value: search.status }] : []),
      ...parseFilters(search).map((filter) => toFilter(filter, typeOf(filter.field))),
    ],
    sorting: parseSorting(search.sort ?? defaultSort),
    pagination: { pageNumber: search.page ?? 0, pageSize: search.size ?? defaultPageSize },
  };
}
