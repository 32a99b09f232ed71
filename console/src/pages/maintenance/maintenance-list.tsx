import type { MaintenanceReport } from '@motorpool/client';
import { useQuery } from '@tanstack/react-query';
import { EmptyState } from '../../feedback/empty-state.tsx';
import { useVehicles } from '../../fleet/named-vehicles.ts';
import { useFleet } from '../../session/connection.tsx';
import { FoundRows } from '../../table/found-rows.tsx';
import { isNarrowed } from '../../table/search-toolbar.tsx';
import { useTexts } from '../../texts/texts-provider.tsx';
import { shownColumns, useMaintenanceColumns } from './maintenance-columns.tsx';
import { type MaintenanceSearch, maintenanceRequest } from './maintenance-search.ts';
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
  );
}
