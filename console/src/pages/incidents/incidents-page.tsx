import { Text } from '@mantine/core';
import type { FleetIncident } from '@motorpool/client';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useAtlasNames } from '../../damage-atlas/use-atlas-names.ts';
import { EmptyState } from '../../feedback/empty-state.tsx';
import { queryKey } from '../../fleet/queries.ts';
import { Page } from '../../frame/page.tsx';
import { useFleet } from '../../session/connection.tsx';
import { ColumnMenu } from '../../table/column-menu.tsx';
import { ExportButton } from '../../table/export-button.tsx';
import { FoundRows } from '../../table/found-rows.tsx';
import { isNarrowed, SearchToolbar } from '../../table/search-toolbar.tsx';
import { definedOnly, type TableSearch } from '../../table/table-search.ts';
import { useFormats, useTexts } from '../../texts/texts-provider.tsx';
import { ReportButton } from '../incident/report-button.tsx';
import { useIncidentColumns, usualColumns } from './incident-columns.tsx';
import { incidentFields } from './incident-fields.ts';
import { IncidentRow } from './incident-row.tsx';
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
  const found = useQuery({
    queryKey: queryKey('incident', 'page', request),
    queryFn: ({ signal }) => fleet.incidents.findInFleet(request, { signal }).page(),
    placeholderData: keepPreviousData,
  });
  const total = found.data?.pagination.totalEntries;
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
      <SearchToolbar
        hint={texts.incidents.searchHint}
        fields={fields}
        search={search}
        onChange={change}
        presets={
          <PresetFilter
            filter={search.filter ?? []}
            onChange={(filter) => change({ filter: filter.length > 0 ? filter : undefined })}
          />
        }
      />
      <FoundRows<FleetIncident>
        label={texts.pages.incidents}
        found={found}
        search={search}
        onChange={change}
        empty={<NoIncidents isNarrowed={isNarrowed(search)} />}
        columns={columns}
        shown={shown}
        idOf={({ id }) => id}
        onOpen={({ id, vehicleId }) =>
          void navigate({
            to: '/incidents/$vehicleId/$incidentId',
            params: { vehicleId, incidentId: id },
          })
        }
        compact={(incident) => <IncidentRow incident={incident} />}
      />
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
