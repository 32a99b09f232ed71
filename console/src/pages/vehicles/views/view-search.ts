import type { Filter, SavedView, SavedViewRequest } from '@motorpool/client';
import {
  type FieldFilter,
  formatFilter,
  formatSorting,
  joinList,
  parseFilters,
  parseSorting,
  type TableSearch,
  toFilter,
} from '../../../table/table-search.ts';
import { vehicleFieldPath, vehicleFieldType } from '../vehicle-fields.ts';

/** What a view is made of; the page and its size are not. */
type Definition = Pick<SavedView, 'searchText' | 'filters' | 'sorting' | 'columns'>;

/** The address of a view, with its id. */
export function searchOfView(view: SavedView): TableSearch {
  return { ...searchOf(view), view: view.id };
}

function searchOf({ searchText, filters, sorting, columns }: Definition): TableSearch {
  const sort = formatSorting(sorting ?? []);
  return {
    ...(searchText && { q: searchText }),
    ...(filters && filters.length > 0 && { filter: filters.map(fieldFilterOf).map(formatFilter) }),
    ...(sort && { sort }),
    ...(columns && columns.length > 0 && { columns: columns.join(',') }),
  };
}

/** What is to be saved of an address. */
export function definitionOf(search: TableSearch): Omit<SavedViewRequest, 'name'> {
  const filters = parseFilters(search).map((one) => toFilter(one, vehicleFieldType(one.field)));
  const sorting = parseSorting(search.sort);
  return {
    ...(search.q && { searchText: search.q }),
    ...(filters.length > 0 && { filters }),
    ...(sorting.length > 0 && { sorting }),
    ...(search.columns && { columns: search.columns.split(',') }),
  };
}

/** Whether the address shows something else than the view. */
export function differs(view: Definition, search: TableSearch): boolean {
  const shown = (one: TableSearch) =>
    JSON.stringify([one.q ?? '', one.filter ?? [], one.sort ?? '', one.columns ?? '']);
  return shown(searchOf(view)) !== shown(search);
}

/** As the address has it. */
function fieldFilterOf({ field, operator, value }: Filter): FieldFilter {
  return {
    field: field === undefined ? '' : vehicleFieldPath(field),
    operator: operator ?? (field === undefined ? 'contains' : 'eq'),
    value: Array.isArray(value) ? joinList(value.map(String)) : String(value),
  };
}
