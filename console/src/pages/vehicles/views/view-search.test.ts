import type { SavedView } from '@motorpool/client';
import { expect, test } from 'vitest';
import { definitionOf, differs, searchOfView } from './view-search.ts';

const search = {
  q: 'golf',
  filter: [
    'status.odometer:gte:1000',
    'asset.active:eq:true',
    'information.vendor:in:VW,Škoda',
    'status.fuelLevel:exists:false',
  ],
  sort: '-status.odometer,information.vendor',
  columns: 'plate,odometer',
};

test('a view that was saved leads back to the same address', () => {
  const view = { ...definitionOf(search), id: 'one', name: 'One', createdAt: '', updatedAt: '' };
  expect(view.filters).toContainEqual({
    field: 'information.vendor',
    operator: 'in',
    value: ['VW', 'Škoda'],
  });
  expect(searchOfView(view)).toEqual({ ...search, view: 'one' });
});

test('a view that a program has saved is shown and saved with all of its filters', () => {
  const filters: SavedView['filters'] = [
    { field: 'status.odometer', operator: 'gt', value: 100_000 },
    { field: 'status.fuelLevel', operator: 'lt', value: 20 },
    { field: 'information.vendor', operator: 'notIn', value: ['VW', 'Müller, Söhne'] },
    { field: 'information.seats', operator: 'in', value: [4, 5] },
    { field: 'asset.active', operator: 'ne', value: true },
    { field: 'status.location.lat', operator: 'gte', value: 50.5 },
    { operator: 'contains', value: 'golf' },
  ];
  const view = { id: 'one', name: 'One', filters, createdAt: '', updatedAt: '' };
  const address = searchOfView(view);
  expect(definitionOf(address).filters).toEqual(filters);
  expect(differs(view, address)).toBe(false);
});

test('the bare name of a field and what is left out are written out', () => {
  const filters = [
    { field: 'odometer', value: 1_000 },
    { field: 'updatedAt', value: 'x' },
    { value: 'golf' },
  ];
  const view = { id: 'one', name: 'One', filters, createdAt: '', updatedAt: '' };
  expect(definitionOf(searchOfView(view)).filters).toEqual([
    { field: 'status.odometer', operator: 'eq', value: 1_000 },
    { field: 'updatedAt', operator: 'eq', value: 'x' },
    { operator: 'contains', value: 'golf' },
  ]);
});

test('another page of a view is still the view; another filter, order or column is not', () => {
  const view = definitionOf(search);
  expect(differs(view, { ...search, page: 3, size: 25, view: 'one' })).toBe(false);
  for (const change of [{ q: 'polo' }, { filter: [] }, { sort: 'asset.id' }, { columns: 'plate' }])
    expect(differs(view, { ...search, ...change })).toBe(true);
});
