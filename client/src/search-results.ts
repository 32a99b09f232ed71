import type { Pagination } from './generated/schemas.ts';

export type Page<Item> = { items: Item[]; pagination: Pagination };

/**
 * The results of a search. `for await` reads all of them, page after page, from the page that was asked for:
 *
 * ```ts
 * for await (const vehicle of fleet.vehicles.find({ searchText: 'golf' })) console.log(vehicle.asset.id);
 * ```
 *
 * Pages are requested one after the other. What is written meanwhile can move entries to another page; sort by a
 * field that does not change where each must be seen once.
 */
export class SearchResults<Item> implements AsyncIterable<Item> {
  readonly #read: (pageNumber?: number) => Promise<Page<Item>>;

  constructor(read: (pageNumber?: number) => Promise<Page<Item>>) {
    this.#read = read;
  }

  /** The one page that was asked for, with the number of entries on all of them. */
  page(): Promise<Page<Item>> {
    return this.#read();
  }

  /** Page after page. */
  async *pages(): AsyncGenerator<Page<Item>, void, undefined> {
    let page = await this.#read();
    yield page;
    for (;;) {
      const { pageNumber, pageSize, totalEntries } = page.pagination;
      if (page.items.length === 0 || (pageNumber + 1) * pageSize >= totalEntries) return;
      page = await this.#read(pageNumber + 1);
      yield page;
    }
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Item, void, undefined> {
    for await (const { items } of this.pages()) yield* items;
  }

  /** All of them. */
  async toArray(): Promise<Item[]> {
    const all: Item[] = [];
    for await (const item of this) all.push(item);
    return all;
  }
}
