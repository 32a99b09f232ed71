import { expect, test } from 'vitest';
import { ReadBudget } from '../db/read-budget.ts';
import { arrayParts, LargeJson } from '../http/large-json.ts';
import { JsonText } from '../http/operation.ts';
import { pageBody, pageOfText } from './page.ts';

const pagination = { pageSize: 100, pageNumber: 0, totalEntries: 2 };
const itemOf = (row: number) => ({ id: `${row}` });

function budgetOf(usedBytes: number): ReadBudget {
  const budget = new ReadBudget(10_000_000);
  budget.usedBytes = usedBytes;
  return budget;
}

test('a small page is made at once', () => {
  const body = pageBody([1, 2], { pagination, budget: budgetOf(100) }, { itemOf });
  expect(body).toEqual({ items: [{ id: '1' }, { id: '2' }], pagination });
});

test('of a large page, each item is made when it is serialized, and is the same', async () => {
  const made: number[] = [];
  const rows = [1, 2];
  const noteAndMake = (row: number) => {
    made.push(row);
    return itemOf(row);
  };
  const found = { pagination, budget: budgetOf(1_000_000) };
  const body = pageBody(rows, found, { itemOf: noteAndMake });
  expect(body).toBeInstanceOf(LargeJson);
  expect(made).toEqual([]);
  const text = Buffer.concat(await (body as LargeJson).serialize()).toString();
  expect(text).toBe(JSON.stringify({ items: [itemOf(1), itemOf(2)], pagination }));
  expect([made, rows]).toEqual([[1, 2], []]);
});

test('an item of a large page can be serialized in parts', async () => {
  const items = [
    { id: 'a', numbers: [1, 2] },
    { id: 'b', numbers: [] },
    { id: 'c', numbers: [3] },
  ];
  const expected = JSON.stringify({ items, pagination });
  const body = pageBody(
    [...items],
    { pagination, budget: budgetOf(1_000_000) },
    {
      partsOf: ({ id, numbers }: (typeof items)[number]) =>
        arrayParts(`{"id":"${id}","numbers":[`, numbers, (one) => one, ']}'),
    },
  );
  expect(Buffer.concat(await (body as LargeJson).serialize()).toString()).toBe(expected);
});

test('a page of text is the same at once and in pieces', async () => {
  const vehicle = JSON.stringify({ vin: '🚗'.repeat(1_000) });
  const small = pageOfText(vehicle, pagination);
  expect(small).toEqual(
    new JsonText(`{"items":[${vehicle}],"pagination":${JSON.stringify(pagination)}}`),
  );
  const items = Array(200).fill(vehicle).join(',');
  const large = pageOfText(items, pagination) as LargeJson;
  const text = Buffer.concat(await large.serialize()).toString();
  expect(text).toBe(`{"items":[${items}],"pagination":${JSON.stringify(pagination)}}`);
});
