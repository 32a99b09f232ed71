import { Group, Text } from '@mantine/core';
import type { Vehicle } from '@motorpool/client';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { EmptyState } from '../../feedback/empty-state.tsx';
import { queryKey } from '../../fleet/queries.ts';
import { Page } from '../../frame/page.tsx';
import { Icon } from '../../icons/icon.tsx';
import { ButtonLink } from '../../layout/button-link.tsx';
import { useFleet, useMay } from '../../session/connection.tsx';
import { ColumnMenu } from '../../table/column-menu.tsx';
import { ExportButton } from '../../table/export-button.tsx';
import { FoundRows } from '../../table/found-rows.tsx';
import { isNarrowed, SearchToolbar } from '../../table/search-toolbar.tsx';
import { definedOnly, type TableSearch } from '../../table/table-search.ts';
import { useFormats, useTexts } from '../../texts/texts-provider.tsx';
import { AddVehicleLink } from '../vehicle/form/form-links.tsx';
import { SelectionBar } from './bulk/selection-bar.tsx';
import { vehiclesRoute } from './route.ts';
import { useVehicleColumns, usualColumns } from './vehicle-columns.tsx';
import { vehicleFields } from './vehicle-fields.ts';
import { VehicleRow } from './vehicle-row.tsx';
import { vehiclesRequest } from './vehicles-request.ts';
import { ViewTabs } from './views/view-tabs.tsx';

export function VehiclesPage() {
  const texts = useTexts();
  const formats = useFormats();
  const fleet = useFleet();
  const search = vehiclesRoute.useSearch();
  const navigate = useNavigate();
  const columns = useVehicleColumns();
  const shown = (search.columns?.split(',') ?? usualColumns).filter((id) =>
    columns.some((column) => column.id === id),
  );
  const change = (next: Partial<TableSearch>) =>
    void navigate({
      to: '/vehicles',
      search: (current: TableSearch) => definedOnly({ ...current, page: undefined, ...next }),
      replace: true,
    });
  const request = vehiclesRequest(search);
  const found = useQuery({
    queryKey: queryKey('vehicle', 'page', request),
    queryFn: ({ signal }) => fleet.vehicles.find(request, { signal }).page(),
    placeholderData: keepPreviousData,
  });
  const mayEdit = useMay('editor');
  const [selected, setSelected] = useState<ReadonlyMap<string, Vehicle>>(new Map());
  const [askedFilter, setAskedFilter] = useState<string>();
  const select = (vehicles: readonly Vehicle[], isSelected: boolean) => {
    const next = new Map(selected);
    for (const vehicle of vehicles) {
      if (isSelected) next.set(vehicle.asset.id, vehicle);
      else next.delete(vehicle.asset.id);
    }
    setSelected(next);
  };
  const show = (next: readonly string[] | undefined) =>
    change({ page: search.page, columns: next?.join(',') });
  const total = found.data?.pagination.totalEntries;
  return (
    <Page
      fills
      title={texts.pages.vehicles}
      aside={
        <Text c="dimmed" aria-live="polite">
          {total !== undefined && texts.vehicles.count(total, formats.number(total))}
        </Text>
      }
      actions={
        <>
          <ButtonLink
            variant="default"
            to="/map"
            search={definedOnly({ q: search.q, filter: search.filter })}
            leftSection={<Icon name="map" size={16} />}
          >
            {texts.vehicles.onMap}
          </ButtonLink>
          <ColumnMenu columns={columns} shown={shown} onChange={show} />
          <ExportButton
            words={texts.vehicles}
            columns={shown.flatMap((id) => columns.find((column) => column.id === id) ?? [])}
            total={total ?? 0}
            load={() =>
              fleet.vehicles.find({ ...request, pagination: { pageSize: 1_000 } }).toArray()
            }
          />
          <AddVehicleLink />
        </>
      }
    >
      <ViewTabs search={search} />
      <SearchToolbar
        hint={texts.vehicles.searchHint}
        fields={vehicleFields(texts)}
        search={search}
        onChange={change}
        asked={askedFilter}
        onAnswered={() => setAskedFilter(undefined)}
      />
      <FoundRows<Vehicle>
        label={texts.pages.vehicles}
        found={found}
        search={search}
        onChange={change}
        empty={<NoVehicles isNarrowed={isNarrowed(search)} />}
        columns={columns}
        shown={shown}
        idOf={({ asset }) => asset.id}
        onOpen={({ asset }) =>
          void navigate({ to: '/vehicles/$vehicleId', params: { vehicleId: asset.id } })
        }
        compact={(vehicle) => <VehicleRow vehicle={vehicle} />}
        columnActions={{
          onFilter: setAskedFilter,
          onHide: (id) => show(shown.filter((one) => one !== id)),
          onMove: (id, step) => {
            const others = shown.filter((one) => one !== id);
            show(others.toSpliced(shown.indexOf(id) + step, 0, id));
          },
        }}
        {...(mayEdit && { selection: { selected, onSelect: select } })}
      >
        {selected.size > 0 && (
          <SelectionBar
            selected={selected}
            request={request}
            total={total ?? 0}
            onSelect={(vehicles) => select(vehicles, true)}
            onKeep={(vehicles) => setSelected(new Map(vehicles.map((one) => [one.asset.id, one])))}
          />
        )}
      </FoundRows>
    </Page>
  );
}

function NoVehicles({ isNarrowed }: { isNarrowed: boolean }) {
  const { vehicles } = useTexts();
  const { title, advice } = isNarrowed ? vehicles.noneFound : vehicles.none;
  return (
    <EmptyState icon={isNarrowed ? 'search' : 'car'} title={title} advice={advice}>
      {!isNarrowed && (
        <Group justify="center">
          <AddVehicleLink />
        </Group>
      )}
    </EmptyState>
  );
}
