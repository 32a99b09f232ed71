import { Button, Group } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTexts } from '../texts/texts-provider.tsx';
import { FilterBar, type FilterField } from './filter-bar.tsx';
import { SearchField } from './search-field.tsx';
import { formatFilter, parseFilters, type TableSearch } from './table-search.ts';

type Narrowing = Pick<TableSearch, 'q' | 'filter'>;

type Props = {
  hint: string;
  fields: readonly FilterField[];
  search: Narrowing;
  onChange(next: { [name in keyof Narrowing]: Narrowing[name] | undefined }): void;
  /** Before the search. */
  before?: ReactNode;
  /** Between the search and the filters. */
  presets?: ReactNode;
  /** At the end. */
  children?: ReactNode;
  className?: string | undefined;
  /** As of the filters. */
  asked?: string | undefined;
  onAnswered?(): void;
};

/** What rows are looked for by: words and filters. */
export function SearchToolbar({ search, onChange, hint, fields, className, ...props }: Props) {
  const { table } = useTexts();
  const filters = parseFilters(search);
  return (
    <Group gap="xs" {...(className ? { className } : { pb: 12 })}>
      {props.before}
      <SearchField
        hint={hint}
        value={search.q ?? ''}
        onChange={(q) => onChange({ q: q || undefined })}
      />
      {props.presets}
      <FilterBar
        fields={fields}
        filters={filters}
        onChange={(next) =>
          onChange({ filter: next.length > 0 ? next.map(formatFilter) : undefined })
        }
        asked={props.asked}
        {...(props.onAnswered && { onAnswered: props.onAnswered })}
      />
      {isNarrowed(search) && (
        <Button variant="subtle" onClick={() => onChange({ q: undefined, filter: undefined })}>
          {table.clear}
        </Button>
      )}
      {props.children}
    </Group>
  );
}

export function isNarrowed(search: Narrowing): boolean {
  return search.q !== undefined || parseFilters(search).length > 0;
}
