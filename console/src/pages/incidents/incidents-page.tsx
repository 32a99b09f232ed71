import { Button, Group, Text } from '@mantine/core';
import type { FleetIncident } from '@motorpool/client';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useAtlasNames } from '../../damage-atlas/use-atlas-names.ts';
import { EmptyState } from '../../feedback/empty-state.tsx';
import { Problem } from '../../feedback/problem.tsx';
import { queryKey } from '../../fleet/queries.ts';
import { Page } from '../../frame/page.tsx';
import { useFleet } from '../../session/connection.tsx';
import { ColumnMenu } from '../../table/column-menu.tsx';
import { DataTable } from '../../table/data-table.tsx';
import { ExportButton } from '../../table/export-button.tsx';
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
  type TableSearch,
} from '../../table/table-search.ts';
import { useFormats, useTexts } from '../../texts/texts-provider.tsx';
import { ReportButton } from '../incident/report-button.tsx';
import { useIncidentColumns, usualColumns } from './incident-columns.tsx';
import { incidentFields } from './incident-fields.ts';
import { IncidentRow } from './incident-row.tsx';
import classes from './incidents-page.module.css';
import { incidentsRequest } from './incidents-request.ts';
import { PresetFilter } from './preset-filter.tsx';
import { incidentsRoute } from './route.ts';

export function IncidentsPage() {
  const texts = useTexts();
  const formats = useFormats();
  const fleet = useFleet();
  const search = incidentsRoute.useSearch();
  const navigate = useNavigate();
  const columns = useIncidentColumns();
  const fields = incidentFields(texts, useAtlasNames());
  const shown = (search.columns?.split(',') ?? usualColumns).filter((id) =>
    columns.some((column) => column.id === id),
  );
  const change = (next: Partial<TableSearch>) =>
    void navigate({
      to: '/incidents',
      search: (current: TableSearch) => definedOnly({ ...current, page: undefined, ...next }),
      replace: true,
    });
  const request = incidentsRequest(search);
  const { data, error, isPlaceholderData, refetch } = useQuery({
    queryKey: queryKey('incident', 'page', request),
    queryFn: ({ signal }) => fleet.incidents.findInFleet(request, { signal }).page(),
    placeholderData: keepPreviousData,
  });
  const filters = parseFilters(search);
  const total = data?.pagination.totalEntries;
  const isNarrowed = search.q !== undefined || filters.length > 0;
  return (
    <Page
      fills
      title={texts.pages.incidents}
      aside={
        <Text c="dimmed" aria-live="polite">
          {total !== undefined && texts.incidents.count(total, formats.number(total))}
        </Text>
      }
      actions={
        <>
          <ColumnMenu
            columns={columns}
            shown={shown}
            onChange={(next) => change({ page: search.page, columns: next?.join(',') })}
          />
          <ExportButton
            words={texts.incidents}
            columns={shown.flatMap((id) => columns.find((column) => column.id === id) ?? [])}
            total={total ?? 0}
            load={() =>
              fleet.incidents.findInFleet({ ...request, pagination: { pageSize: 200 } }).toArray()
            }
          />
          <ReportButton />
        </>
      }
    >
      <Group gap="xs" className={classes.toolbar}>
        <SearchField
          hint={texts.incidents.searchHint}
          value={search.q ?? ''}
          onChange={(q) => change({ q: q || undefined })}
        />
        <PresetFilter
          filter={search.filter ?? []}
          onChange={(filter) => change({ filter: filter.length > 0 ? filter : undefined })}
        />
        <FilterBar
          fields={fields}
          filters={filters}
          onChange={(next) =>
            change({ filter: next.length > 0 ? next.map(formatFilter) : undefined })
          }
        />
        {isNarrowed && (
          <Button variant="subtle" onClick={() => change({ q: undefined, filter: undefined })}>
            {texts.table.clear}
          </Button>
        )}
      </Group>
      {error && !data ? (
        <Problem error={error} onRetry={() => void refetch()} />
      ) : total === 0 && data?.items.length === 0 ? (
        <NoIncidents isNarrowed={isNarrowed} />
      ) : (
        <DataTable<FleetIncident>
          label={texts.pages.incidents}
          columns={columns}
          shown={shown}
          rows={data?.items}
          idOf={({ id }) => id}
          sorting={parseSorting(search.sort)}
          onSort={(sorting) => change({ sort: formatSorting(sorting) })}
          onOpen={({ id, vehicleId }) =>
            void navigate({
              to: '/incidents/$vehicleId/$incidentId',
              params: { vehicleId, incidentId: id },
            })
          }
          compact={(incident) => <IncidentRow incident={incident} />}
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

function NoIncidents({ isNarrowed }: { isNarrowed: boolean }) {
  const { incidents } = useTexts();
  const { title, advice } = isNarrowed ? incidents.noneFound : incidents.none;
  return (
    <EmptyState icon={isNarrowed ? 'search' : 'circle-check'} title={title} advice={advice}>
      {!isNarrowed && <ReportButton />}
    </EmptyState>
  );
}
