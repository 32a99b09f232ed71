import { LRUCache } from 'lru-cache';
import { atMost } from '../../platform/cache-bound.ts';

const maxProviders = 1_000;

/** How many events of a provider are read at a time: after a page that was too large fewer, and then more from page to page. */
export function createPageSizes(largest: number) {
  const sizes = new LRUCache<string, number>(atMost(maxProviders));
  return {
    of: (provider: string) => sizes.get(provider) ?? largest,
    /** After a page of so many that was too large; false when none can be smaller. */
    shrink(provider: string, size: number): boolean {
      sizes.set(provider, Math.ceil(size / 10));
      return size > 1;
    },
    /** After a page of so many. */
    grow(provider: string, size: number): void {
      if (2 * size >= largest) sizes.delete(provider);
      else sizes.set(provider, 2 * size);
    },
  };
}
