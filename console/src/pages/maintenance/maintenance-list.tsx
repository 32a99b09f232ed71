import type { MaintenanceReport } from '@motorpool/client';
import { useQuery } from '@tanstack/react-query';
import { EmptyState } from '../../feedback/empty-state.tsx';
import { useVehicles } from '../../fleet/named-vehicles.ts';
import { useFleet } from '../../session/connection.tsx';
import type { FilterField } from '../../table/filter-bar.tsx';
import { FoundRows } from '../../table/found-rows.tsx';
import { isNarrowed, SearchToolbar } from '../../table/search-toolbar.tsx';
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
  const found = useQuery(plannedPage(fleet, maintenanceRequest(search)));
  const vehicles = useVehicles(found.data?.items.map(({ vehicleId }) => vehicleId) ?? []);
  const columns = useMaintenanceColumns(vehicles);
  const isPart = isNarrowed(search) || search.status !== undefined;
  const { title, advice } = isPart ? texts.maintenance.noneFound : texts.maintenance.none;
  const change = (next: Partial<MaintenanceSearch>) => onChange({ page: undefined, ...next });
  return (
    <>
      <SearchToolbar
        hint={texts.maintenance.searchHint}
        fields={maintenanceFields(texts)}
        search={search}
        onChange={change}
      />
      <FoundRows<MaintenanceReport>
        label={texts.pages.maintenance}
        found={found}
        search={search}
        onChange={change}
        empty={<EmptyState icon={isPart ? 'search' : 'wrench'} title={title} advice={advice} />}
        columns={columns}
        shown={shownColumns}
        idOf={({ id }) => id}
        onOpen={({ id, vehicleId }) => onChange({ report: id, vehicle: vehicleId }, false)}
        compact={(report) => <ReportRow report={report} vehicles={vehicles} />}
      />
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
