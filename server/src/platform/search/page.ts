import Type, { type Static, type TSchema } from 'typebox';
import type { ReadBudget } from '../db/read-budget.ts';
import { LargeJson } from '../http/large-json.ts';
import { JsonText } from '../http/operation.ts';
import type { ValidationIssue } from '../http/problem.ts';
import { defaultPageSize, searchLimits } from './limits.ts';

export const PageRequestSchema = Type.Object(
  {
    pageNumber: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: Number.MAX_SAFE_INTEGER,
        default: 0,
        description: 'Which page; the first is 0. A page past the end is empty.',
      }),
    ),
    pageSize: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: searchLimits.pageSize,
        default: defaultPageSize,
        description: 'Entries a page.',
      }),
    ),
  },
  { $id: 'PageRequest', additionalProperties: false, description: 'Which page is wanted.' },
);

/** The page request has two names; a body with both is rejected. */
export const pageRequestProperties = {
  pagination: Type.Optional(PageRequestSchema),
  pageRequest: Type.Optional(PageRequestSchema),
};

export const PaginationSchema = Type.Object(
  {
    pageSize: Type.Integer({ description: 'Entries a page, as asked for.' }),
    pageNumber: Type.Integer({ description: 'Which page this is; the first is 0.' }),
    totalEntries: Type.Integer({ description: 'Entries on all pages together.' }),
  },
  { $id: 'Pagination', additionalProperties: false },
);

/** The response of a search or a list. */
export function pageResponse(name: string, description: string, item: TSchema, example: unknown) {
  return {
    description,
    schema: Type.Object(
      {
        items: Type.Array(item, { maxItems: searchLimits.pageSize }),
        pagination: PaginationSchema,
      },
      { $id: name, additionalProperties: false },
    ),
    example: {
      items: [example],
      pagination: { pageSize: defaultPageSize, pageNumber: 0, totalEntries: 1 },
    },
  };
}

export type Pagination = Static<typeof PaginationSchema>;

/** Rows of more bytes are serialized in pieces, and so are items that are text already. */
const largePageBytes = 262_144;

type FoundPage = { pagination: object; budget: ReadBudget };

type PageItems<Row, Item> = {
  itemOf?: (row: Row) => Item;
  partsOf?: (item: Item) => Iterable<string>;
};

/**
 * The body of a page: its items as an array. Of a large page, each is made of its row only when it is serialized, at
 * once or in parts that commas separate.
 */
export function pageBody<Row, Item = unknown>(
  rows: Row[],
  { pagination, budget }: FoundPage,
  {
    itemOf = (row) => row as unknown as Item,
    partsOf = (item) => [JSON.stringify(item)],
  }: PageItems<Row, Item> = {},
): object {
  if (budget.usedBytes < largePageBytes)
    return { items: rows.map((row) => itemOf(row)), pagination };
  const parts = serializeEach(rows, (row) => partsOf(itemOf(row)));
  return largePage('[', parts, ']', { pagination, budget });
}

/** The body of a page: its items as an object, by their ids. */
export function pageBodyById(items: { id: string }[], { pagination, budget }: FoundPage): object {
  if (budget.usedBytes < largePageBytes) {
    return { items: Object.fromEntries(items.map((item) => [item.id, item])), pagination };
  }
  const member = (item: { id: string }) => [`${JSON.stringify(item.id)}:${JSON.stringify(item)}`];
  return largePage('{', serializeEach(items, member), '}', { pagination, budget });
}

/** The body of a page whose items are JSON already, separated by commas. */
export function pageOfText(items: string, pagination: Pagination): JsonText | LargeJson {
  if (items.length >= largePageBytes) return largePage('[', [items], ']', { pagination });
  return new JsonText(`{"items":[${items}],"pagination":${JSON.stringify(pagination)}}`);
}

function largePage(
  begin: string,
  parts: Iterable<string>,
  end: string,
  { pagination, budget }: { pagination: object; budget?: ReadBudget },
): LargeJson {
  const after = `${end},"pagination":${JSON.stringify(pagination)}}`;
  return new LargeJson(`{"items":${begin}`, parts, after, budget?.usedBytes);
}

/** Removes each item, whose memory can then be reused. */
function* serializeEach<Item>(
  items: Item[],
  serialize: (item: Item) => Iterable<string>,
): Generator<string> {
  for (let item = items.shift(); item !== undefined; item = items.shift()) yield* serialize(item);
}

export type Page = { pageNumber: number; pageSize: number };

type PageRequest = Static<typeof PageRequestSchema>;

export type PageBody = { pagination?: PageRequest; pageRequest?: PageRequest };

export function pageIssues({ pagination, pageRequest }: PageBody): ValidationIssue[] {
  if (pagination === undefined || pageRequest === undefined) return [];
  const detail = 'pagination and pageRequest are two names of one thing: send one of them.';
  return [{ pointer: '/pageRequest', detail }];
}

export function pageOf(body: PageBody): Page {
  const { pageNumber = 0, pageSize = defaultPageSize } = body.pagination ?? body.pageRequest ?? {};
  return { pageNumber, pageSize };
}
