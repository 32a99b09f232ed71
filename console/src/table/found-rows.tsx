import type { UseQueryResult } from '@tanstack/react-query';
import type { ComponentProps, ReactNode } from 'react';
import { Problem } from '../feedback/problem.tsx';
import { DataTable } from './data-table.tsx';
import { Pager } from './pager.tsx';
import { defaultPageSize, formatSorting, parseSorting, type TableSearch } from './table-search.ts';

type Place = Pick<TableSearch, 'sort' | 'page' | 'size'>;

type Props<Row extends object> = Omit<
  ComponentProps<typeof DataTable<Row>>,
  'rows' | 'sorting' | 'onSort' | 'isStale'
> & {
  found: Pick<
    UseQueryResult<{ items: readonly Row[]; pagination: { totalEntries: number } }>,
    'data' | 'error' | 'isPlaceholderData' | 'refetch'
  >;
  search: Place;
  /** The order where the address has none. */
  usualSort?: string;
  onChange(next: { [name in keyof Place]: Place[name] | undefined }): void;
  /** In the place of no rows. */
  empty: ReactNode;
  /** Between the table and its pages. */
  children?: ReactNode;
};

/** A page of what was found: its rows, or why there are none. */
export function FoundRows<Row extends object>(props: Props<Row>) {
  const { found, search, usualSort, onChange, empty, children, ...table } = props;
  const { data, error, isPlaceholderData, refetch } = found;
  const total = data?.pagination.totalEntries ?? 0;
  const isEmpty = total === 0 && data?.items.length === 0;
  return (
    <>
      {error && !data ? (
        <Problem error={error} onRetry={() => void refetch()} />
      ) : isEmpty ? (
        empty
      ) : (
        <DataTable<Row>
          {...table}
          rows={data?.items}
          sorting={parseSorting(search.sort ?? usualSort)}
          onSort={(sorting) => onChange({ sort: formatSorting(sorting) })}
          isStale={isPlaceholderData}
        />
      )}
      {children}
      {total > 0 && (
        <Pager
          page={search.page ?? 0}
          size={search.size ?? defaultPageSize}
          total={total}
          onPage={(page) => onChange({ page: page || undefined })}
          onSize={(size) => onChange({ size: size === defaultPageSize ? undefined : size })}
        />
      )}
    </>
  );
}
