import type { Queryable } from '../../../platform/db/database.ts';
import type { Field } from '../../../platform/search/field.ts';
import type { Page } from '../../../platform/search/page.ts';
import type { ParsedSearch } from '../../../platform/search/parse-search.ts';
import type { CachedSearch, SearchCache } from './search-cache.ts';

export type VehicleSearch = {
  db: Queryable;
  provider: string;
  request: ParsedSearch;
  now: Date;
  cache: SearchCache;
  /** The same for every page of the same search. */
  cacheKey: string;
};

/** A page of vehicles as JSON, separated by commas, and how many there are on all pages. */
export type FoundVehicles = { items: string; total: number };

/** The same with what of it can be cached. */
export type CountedVehicles = FoundVehicles & CachedSearch;

/** One way to run a search; undefined where it does not apply. */
export type Strategy<Found = FoundVehicles> = (search: VehicleSearch) => Promise<Found | undefined>;

export async function firstResult<Found>(
  strategies: readonly Strategy<Found>[],
  search: VehicleSearch,
): Promise<Found | undefined> {
  for (const strategy of strategies) {
    const found = await strategy(search);
    if (found) return found;
  }
  return undefined;
}

export function cacheKeyOf(
  providerId: string,
  { text, mode, filters, sorting }: ParsedSearch,
): string {
  return JSON.stringify([
    providerId,
    text,
    mode,
    filters.map((filter) =>
      filter.field ? [filter.field.path, filter.operator, filter.value] : filter.value,
    ),
    sorting.map(({ field, direction }) => [field.path, direction]),
  ]);
}

export function isOfStatus({ column }: Field): boolean {
  return /\bs\./.test(column);
}

export function offsetOf({ pageNumber, pageSize }: Page): number {
  return pageNumber * pageSize;
}

/** How many entries the page has when all pages have `total`. */
export function lengthOf(page: Page, total: number): number {
  return Math.min(page.pageSize, Math.max(0, total - offsetOf(page)));
}
