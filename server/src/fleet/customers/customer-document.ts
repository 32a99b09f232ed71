import Type from 'typebox';
import type { Queryable } from '../../platform/db/database.ts';
import { ReadBudget } from '../../platform/db/read-budget.ts';
import {
  enclose,
  LargeJson,
  maxAnswerBytes,
  maxAnswerItems,
} from '../../platform/http/large-json.ts';
import type { ProviderRef } from '../../platform/http/operation.ts';
import type { CustomerData, CustomerKey, FoundRecords } from '../customer-data.ts';
import { CustomerSchema, exampleCustomer } from '../users/public.ts';

/** The properties of a document that has the records of a customer, a list for each kind. */
export function documentProperties(data: readonly CustomerData[]) {
  const lists = data.flatMap(({ records }) => records ?? []);
  return {
    ...CustomerSchema.properties,
    ...Object.fromEntries(
      lists.map(({ name, description, schema }) => [
        name,
        Type.Object(
          {
            totalEntries: Type.Integer({ description: 'How many there are.' }),
            items: Type.Array(schema, { maxItems: maxAnswerItems }),
          },
          { additionalProperties: false, description },
        ),
      ]),
    ),
  };
}

export function exampleDocument(data: readonly CustomerData[]) {
  const lists = data.flatMap(({ records }) => records ?? []);
  return {
    ...exampleCustomer,
    ...Object.fromEntries(
      lists.map(({ name, example }) => [name, { totalEntries: 1, items: [example] }]),
    ),
  };
}

/** At most `limit` records of each kind. It begins with `head`; the answer is bounded in bytes. */
export async function readDocument(
  tx: Queryable,
  data: readonly CustomerData[],
  provider: ProviderRef,
  customer: CustomerKey,
  limit: number,
  head: object = {},
): Promise<LargeJson> {
  const parts: Iterable<string>[] = [];
  const budget = new ReadBudget(maxAnswerBytes);
  for (const { records } of data) {
    if (!records) continue;
    const found = await records.read(tx, provider, customer, limit, budget);
    parts.push(serializeList(records.name, found));
  }
  const [, mobilityProviderCountryCode, mobilityProviderCode, customerId] = customer;
  const named = { ...head, mobilityProviderCountryCode, mobilityProviderCode, customerId };
  const before = `${JSON.stringify(named).slice(0, -1)},`;
  return new LargeJson(before, concatenate(parts), '}', budget.usedBytes);
}

/** The member of a list, in parts that commas separate. */
function serializeList(
  name: string,
  { rows, itemOf, partsOf = (item) => [JSON.stringify(item)], totalEntries }: FoundRecords,
): Iterable<string> {
  const before = `${JSON.stringify(name)}:{"totalEntries":${totalEntries},"items":[`;
  const items = rows.values().map((row) => partsOf(itemOf(row as never) as never));
  return enclose(before, concatenate(items), ']}');
}

function* concatenate(all: Iterable<Iterable<string>>): Generator<string> {
  for (const one of all) yield* one;
}
