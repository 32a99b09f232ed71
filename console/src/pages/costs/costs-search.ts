import { addMonths, dayOf } from '../../formats/days.ts';

export const periods = [3, 6, 12, 24] as const;

/** What the page shows, as its address has it. */
export type CostsSearch = { months?: number; currency?: string };

export function parseCostsSearch(search: Record<string, unknown>): CostsSearch {
  const { months, currency } = search;
  return {
    ...(periods.some((one) => one === months) && months !== 12 && { months: Number(months) }),
    ...(typeof currency === 'string' && /^[A-Z]{3}$/.test(currency) && { currency }),
  };
}

/** The months of a period that ends with this one, the oldest first. */
export function monthsOf(count: number, now = new Date()): string[] {
  const last = dayOf(now).slice(0, 7);
  return Array.from({ length: count }, (_, index) => addMonths(last, index + 1 - count));
}
