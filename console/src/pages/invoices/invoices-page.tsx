import { Button, Group, Text } from '@mantine/core';
import type { Invoice } from '@motorpool/client';
import { keepPreviousData, useQueries, useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { EmptyState } from '../../feedback/empty-state.tsx';
import { Problem } from '../../feedback/problem.tsx';
import { usePlates } from '../../fleet/plates.ts';
import { queryKey } from '../../fleet/queries.ts';
import { Page } from '../../frame/page.tsx';
import { Icon } from '../../icons/icon.tsx';
import { ChoiceLinks } from '../../layout/choice-links.tsx';
import { useFleet, useMay } from '../../session/connection.tsx';
import { DataTable } from '../../table/data-table.tsx';
import { FilterBar } from '../../table/filter-bar.tsx';
import { Pager } from '../../table/pager.tsx';
import { SearchField } from '../../table/search-field.tsx';
import {
  defaultPageSize,
  definedOnly,
  formatFilter,
  formatSorting,
  parseFilters,
  parseSorting,
} from '../../table/table-search.ts';
import { useFormats, useTexts } from '../../texts/texts-provider.tsx';
import { invoiceLooks } from '../../values/invoice-state.tsx';
import { DocumentDrop } from './document-drop.tsx';
import { shownColumns, useInvoiceColumns } from './invoice-columns.tsx';
import { invoiceFields } from './invoice-fields.ts';
import { InvoiceRow } from './invoice-row.tsx';
import { type InvoicesSearch, invoiceStatuses, invoicesRequest } from './invoices-search.ts';
import { invoicesRoute } from './route.ts';

export function InvoicesPage() {
  const texts = useTexts();
  const formats = useFormats();
  const fleet = useFleet();
  const mayEdit = useMay('editor');
  const search = invoicesRoute.useSearch();
  const navigate = useNavigate();
  const change = (next: Partial<InvoicesSearch>) =>
    void navigate({
      to: '/invoices',
      search: (current: InvoicesSearch) => definedOnly({ ...current, page: undefined, ...next }),
      replace: true,
    });
  const request = invoicesRequest(search);
  const { data, error, isPlaceholderData, refetch } = useQuery({
    queryKey: queryKey('invoice', 'page', request),
    queryFn: ({ signal }) => fleet.invoices.find(request, { signal }).page(),
    placeholderData: keepPreviousData,
  });
  const plateById = usePlates(
    data?.items.flatMap(({ lines }) => lines.map(({ vehicleId }) => vehicleId)) ?? [],
  );
  const columns = useInvoiceColumns(plateById);
  const counts = useCounts();
  const filters = parseFilters(search);
  const total = data?.pagination.totalEntries;
  const isNarrowed = search.q !== undefined || filters.length > 0 || search.status !== undefined;
  const { title, advice } = isNarrowed ? texts.invoices.noneFound : texts.invoices.none;
  const linkTo = (status: Invoice['status'] | undefined) => ({
    to: '/invoices' as const,
    search: definedOnly({ ...search, page: undefined, status }) as InvoicesSearch,
  });
  return (
    <Page
      fills
      title={texts.pages.invoices}
      aside={
        <Text c="dimmed" aria-live="polite">
          {total !== undefined && texts.invoices.count(total, formats.number(total))}
        </Text>
      }
      actions={
        <Button
          component={Link}
          to="/invoices/costs"
          variant="default"
          leftSection={<Icon name="chart-column" size={16} />}
        >
          {texts.invoices.costs}
        </Button>
      }
    >
      {mayEdit && <DocumentDrop />}
      <Group gap="xs" pb={12}>
        <ChoiceLinks
          label={texts.invoices.states}
          current={search.status ?? 'all'}
          choices={[
            { key: 'all', label: texts.invoices.all, link: linkTo(undefined) },
            ...invoiceStatuses.map((status, index) => ({
              key: status,
              label: texts.invoiceStates[status],
              icon: invoiceLooks[status].icon,
              count: counts[index],
              link: linkTo(status),
            })),
          ]}
        />
        <SearchField
          hint={texts.invoices.searchHint}
          value={search.q ?? ''}
          onChange={(q) => change({ q: q || undefined })}
        />
        <FilterBar
          fields={invoiceFields(texts)}
          filters={filters}
          onChange={(next) => change({ filter: next.map(formatFilter) })}
        />
        {(search.q !== undefined || filters.length > 0) && (
          <Button variant="subtle" onClick={() => change({ q: undefined, filter: undefined })}>
            {texts.table.clear}
          </Button>
        )}
      </Group>
      {error && !data ? (
        <Problem error={error} onRetry={() => void refetch()} />
      ) : total === 0 && data?.items.length === 0 ? (
        <EmptyState icon={isNarrowed ? 'search' : 'receipt-text'} title={title} advice={advice} />
      ) : (
        <DataTable<Invoice>
          label={texts.pages.invoices}
          columns={columns}
          shown={shownColumns}
          rows={data?.items}
          idOf={({ id }) => id}
          sorting={parseSorting(search.sort ?? '-issueDate')}
          onSort={(sorting) => change({ sort: formatSorting(sorting) })}
          onOpen={({ id }) =>
            void navigate({ to: '/invoices/$invoiceId', params: { invoiceId: id } })
          }
          compact={(invoice) => <InvoiceRow invoice={invoice} />}
          isStale={isPlaceholderData}
        />
      )}
      {total !== undefined && total > 0 && (
        <Pager
          page={search.page ?? 0}
          size={search.size ?? defaultPageSize}
          total={total}
          onPage={(page) => change({ page: page || undefined })}
          onSize={(size) => change({ size: size === defaultPageSize ? undefined : size })}
        />
      )}
    </Page>
  );
}

/** How many there are in each state. */
function useCounts(): (number | undefined)[] {
  const fleet = useFleet();
  const results = useQueries({
    queries: invoiceStatuses.map((status) => ({
      queryKey: queryKey('invoice', 'count', status),
      queryFn: async ({ signal }: { signal: AbortSignal }) => {
        const filters = [{ field: 'status', value: status }];
        const page = await fleet.invoices
          .find({ filters, pagination: { pageSize: 1 } }, { signal })
          .page();
        return page.pagination.totalEntries;
      },
    })),
  });
  return results.map(({ data }) => data);
}
