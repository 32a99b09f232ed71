import type { InvoiceLine } from '../invoice-line.ts';
import { plainDecimal } from './money.ts';

/** The rate that a category has without saying so. */
export function impliedRate(category: InvoiceLine['vatCategory']): string | undefined {
  return ['Z', 'E', 'AE', 'K', 'G'].includes(category) ? '0' : undefined;
}

export type Taxed = { vatCategory?: InvoiceLine['vatCategory']; vatRate?: string };

/** Equal for parts that are taxed alike, however the rate is written. */
export function vatKey({ vatCategory = 'S', vatRate = impliedRate(vatCategory) }: Taxed): string {
  if (vatRate === undefined || vatCategory === 'O') return vatCategory;
  return `${vatCategory} ${plainDecimal(vatRate)}`;
}
