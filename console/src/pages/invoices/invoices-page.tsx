import { Button, Text } from '@mantine/core';
import type { Invoice } from '@motorpool/client';
import { keepPreviousData, useQueries, useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { EmptyState } from '../../feedback/empty-state.tsx';
import { usePlates } from '../../fleet/named-vehicles.ts';
import { queryKey } from '../../fleet/queries.ts';
import { Page } from '../../frame/page.tsx';
import { Icon } from '../../icons/icon.tsx';
import { ChoiceLinks } from '../../layout/choice-links.tsx';
import { useFleet, useMay } from '../../session/connection.tsx';
import { FoundRows } from '../../table/found-rows.tsx';
import { isNarrowed, SearchToolbar } from '../../table/search-toolbar.tsx';
import { definedOnly } from '../../table/table-search.ts';
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
  const found = useQuery({
    queryKey: queryKey('invoice', 'page', request),
    queryFn: ({ signal }) => fleet.invoices.find(request, { signal }).page(),
    placeholderData: keepPreviousData,
  });
  const plateById = usePlates(
    found.data?.items.flatMap(({ lines }) => lines.map(({ vehicleId }) => vehicleId)) ?? [],
  );
  const columns = useInvoiceColumns(plateById);
  const counts = useCounts();
  const total = found.data?.pagination.totalEntries;
  const isPart = isNarrowed(search) || search.status !== undefined;
  const { title, advice } = isPart ? texts.invoices.noneFound : texts.invoices.none;
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
      <SearchToolbar
        hint={texts.invoices.searchHint}
        fields={invoiceFields(texts)}
        search={search}
        onChange={change}
        before={
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
        }
      />
      <FoundRows<Invoice>
        label={texts.pages.invoices}
        found={found}
        search={search}
        usualSort="-issueDate"
        onChange={change}
        empty={
          <EmptyState icon={isPart ? 'search' : 'receipt-text'} title={title} advice={advice} />
        }
        columns={columns}
        shown={shownColumns}
        idOf={({ id }) => id}
        onOpen={({ id }) =>
          void navigate({ to: '/invoices/$invoiceId', params: { invoiceId: id } })
        }
        compact={(invoice) => <InvoiceRow invoice={invoice} />}
      />
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
