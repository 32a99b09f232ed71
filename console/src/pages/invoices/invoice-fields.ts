import type { FilterField } from '../../table/filter-bar.tsx';
import type { Texts } from '../../texts/texts.ts';
import { invoiceFieldTypes } from './invoices-search.ts';

export function invoiceFields({ invoices, costKinds }: Texts): FilterField[] {
  const options: Record<string, Record<string, string>> = {
    type: invoices.types,
    'lines.kind': costKinds,
  };
  return Object.entries(invoiceFieldTypes).map(([field, type]) => ({
    field,
    type,
    label: invoices.fields[field as keyof typeof invoiceFieldTypes],
    ...(options[field] && {
      options: Object.entries(options[field]).map(([value, label]) => ({ value, label })),
    }),
  }));
}
