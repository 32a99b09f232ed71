import type { Pagination } from './generated/schemas.ts';

export type Page<Item, Position = Pagination> = { items: Item[]; pagination: Position };

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
export class SearchResults<Item, Position = Pagination> implements AsyncIterable<Item> {
  readonly #read: (next?: object) => Promise<Page<Item, Position>>;

  constructor(read: (next?: object) => Promise<Page<Item, Position>>) {
    this.#read = read;
  }

  /** The one page that was asked for. */
  page(): Promise<Page<Item, Position>> {
    return this.#read();
  }

  /** Page after page. */
  async *pages(): AsyncGenerator<Page<Item, Position>, void, undefined> {
    let page = await this.#read();
    yield page;
    for (let next = nextOf(page); next; next = nextOf(page)) {
      page = await this.#read(next);
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

/** What to ask for after a page; nothing after the last. */
function nextOf({ items, pagination }: Page<unknown, unknown>): object | undefined {
  const position = pagination as Pagination | { cursor: string; hasMore: boolean };
  if ('cursor' in position) return position.hasMore ? { cursor: position.cursor } : undefined;
  const { pageNumber, pageSize, totalEntries } = position;
  const isLast = items.length === 0 || (pageNumber + 1) * pageSize >= totalEntries;
  return isLast ? undefined : { pageNumber: pageNumber + 1 };
}
