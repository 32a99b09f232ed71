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

test('another page of a view is still the view; another filter, order or column is not', () => {
  const view = definitionOf(search);
  expect(differs(view, { ...search, page: 3, size: 25, view: 'one' })).toBe(false);
  for (const change of [{ q: 'polo' }, { filter: [] }, { sort: 'asset.id' }, { columns: 'plate' }])
    expect(differs(view, { ...search, ...change })).toBe(true);
});
