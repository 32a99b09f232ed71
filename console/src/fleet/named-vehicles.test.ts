import type { FindVehiclesRequest, Motorpool } from '@motorpool/client';
import { expect, test } from 'vitest';
import { findVehicles } from './named-vehicles.ts';

test('more vehicles than a filter can name are found in several requests', async () => {
  const asked: string[][] = [];
  const find = ({ filters }: FindVehiclesRequest) => {
    const ids = filters?.[0]?.value as string[];
    asked.push(ids);
    return { page: async () => ({ items: ids.map((id) => ({ asset: { id } })) }) };
  };
  const ids = Array.from({ length: 2_001 }, (_, index) => `DE*ABC*${index}`);
  const fleet = { vehicles: { find } } as unknown as Motorpool;
  const found = await findVehicles(fleet, ids, new AbortController().signal);
  expect([...found.keys()]).toEqual(ids);
  expect(asked.map(({ length }) => length)).toEqual([1_000, 1_000, 1]);
});
