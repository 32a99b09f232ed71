import { Button, Group } from '@mantine/core';
import type { MaintenanceReport } from '@motorpool/client';
import { useQuery } from '@tanstack/react-query';
import { EmptyState } from '../../feedback/empty-state.tsx';
import { Problem } from '../../feedback/problem.tsx';
import { usePlates } from '../../fleet/plates.ts';
import { useFleet } from '../../session/connection.tsx';
import { DataTable } from '../../table/data-table.tsx';
import { FilterBar, type FilterField } from '../../table/filter-bar.tsx';
import { Pager } from '../../table/pager.tsx';
import { SearchField } from '../../table/search-field.tsx';
import {
  defaultPageSize,
  formatFilter,
  formatSorting,
  parseFilters,
  parseSorting,
} from '../../table/table-search.ts';
import type { Texts } from '../../texts/texts.ts';
import { useTexts } from '../../texts/texts-provider.tsx';
import { shownColumns, useMaintenanceColumns } from './maintenance-columns.tsx';
import {
  type MaintenanceSearch,
  maintenanceFieldTypes,
  maintenanceRequest,
} from './maintenance-search.ts';
import { plannedPage } from './planned-reports.ts';
import { ReportRow } from './report-row.tsx';

type Props = {
  search: MaintenanceSearch;
  onChange(next: Partial<MaintenanceSearch>, replace?: boolean): void;
};

/** The plan, the soonest first. */
export function MaintenanceList({ search, onChange }: Props) {
  const texts = useTexts();
  const fleet = useFleet();
  const { data, error, isPlaceholderData, refetch } = useQuery(
    plannedPage(fleet, maintenanceRequest(search)),
  );
  const plateById = usePlates(data?.items.map(({ vehicleId }) => vehicleId) ?? []);
  const columns = useMaintenanceColumns(plateById);
  const filters = parseFilters(search);
  const total = data?.pagination.totalEntries;
  const isNarrowed = search.q !== undefined || filters.length > 0 || search.status !== undefined;
  const { title, advice } = isNarrowed ? texts.maintenance.noneFound : texts.maintenance.none;
  const change = (next: Partial<MaintenanceSearch>) => onChange({ page: undefined, ...next });
  return (
    <>
      <Group gap="xs" pb={12}>
        <SearchField
          hint={texts.maintenance.searchHint}
          value={search.q ?? ''}
          onChange={(q) => change({ q: q || undefined })}
        />
        <FilterBar
          fields={maintenanceFields(texts)}
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
        <EmptyState icon={isNarrowed ? 'search' : 'wrench'} title={title} advice={advice} />
      ) : (
        <DataTable<MaintenanceReport>
          label={texts.pages.maintenance}
          columns={columns}
          shown={shownColumns}
          rows={data?.items}
          idOf={({ id }) => id}
          sorting={parseSorting(search.sort)}
          onSort={(sorting) => change({ sort: formatSorting(sorting) })}
          onOpen={({ id, vehicleId }) => onChange({ report: id, vehicle: vehicleId }, false)}
          compact={(report) => <ReportRow report={report} plate={plateById(report.vehicleId)} />}
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
    </>
  );
}

function maintenanceFields({ maintenance }: Texts): FilterField[] {
  const options: Record<string, Record<string, string>> = {
    type: maintenance.types,
    source: maintenance.sourceNames,
  };
  return Object.entries(maintenanceFieldTypes).map(([field, type]) => ({
    field,
    type,
    label: maintenance.fields[field as keyof typeof maintenanceFieldTypes],
    ...(options[field] && {
      options: Object.entries(options[field]).map(([value, label]) => ({ value, label })),
    }),
  }));
}
