import { Select } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { usePlates } from '../fleet/named-vehicles.ts';
import { queryKey } from '../fleet/queries.ts';
import { useFleet } from '../session/connection.tsx';
import { useTexts } from '../texts/texts-provider.tsx';
import { modelOf, plateOf } from '../values/vehicle-names.ts';

type Props = {
  label: string;
  value: string | undefined;
  onChange(vehicleId: string | undefined): void;
  error?: string | undefined;
  isRequired?: boolean;
};

const maxShown = 20;

/** Finds a vehicle by part of its plate, make or VIN. */
export function VehiclePicker({ label, value, onChange, error, isRequired = false }: Props) {
  const { forms } = useTexts();
  const fleet = useFleet();
  const [typed, setTyped] = useState('');
  const [words] = useDebouncedValue(typed, 150);
  const plateById = usePlates([value]);
  const { data } = useQuery({
    queryKey: queryKey('vehicle', 'picker', words),
    queryFn: ({ signal }) =>
      fleet.vehicles
        .find(
          {
            ...(words && { searchText: words, searchMode: 'words' as const }),
            sorting: [{ field: 'information.licensePlate' }],
            pagination: { pageSize: maxShown },
          },
          { signal },
        )
        .page(),
    placeholderData: keepPreviousData,
  });
  const found = (data?.items ?? []).map((vehicle) => ({
    value: vehicle.asset.id,
    label: [plateOf(vehicle), modelOf(vehicle)].filter(Boolean).join(' · '),
  }));
  const isFound = found.some((option) => option.value === value);
  return (
    <Select
      label={label}
      placeholder={forms.vehicleHint}
      data={value && !isFound ? [{ value, label: plateById(value) ?? '' }, ...found] : found}
      value={value ?? null}
      onChange={(next) => onChange(next ?? undefined)}
      searchable
      clearable={!isRequired}
      withAsterisk={isRequired}
      onSearchChange={(text) => setTyped(found.some((one) => one.label === text) ? '' : text)}
      filter={({ options }) => options}
      nothingFoundMessage={forms.nothingFound}
      error={error}
    />
  );
}
