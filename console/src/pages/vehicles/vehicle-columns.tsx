import type { Vehicle } from '@motorpool/client';
import { useMemo } from 'react';
import { AnchorLink } from '../../layout/anchor-link.tsx';
import type { Column } from '../../table/data-table.tsx';
import { useLocalization } from '../../texts/texts-provider.tsx';
import { Age } from '../../values/age.tsx';
import { Level } from '../../values/level.tsx';
import { modelOf, plateOf } from '../../values/vehicle-names.ts';
import { VehicleState } from '../../values/vehicle-state.tsx';

export const usualColumns = ['plate', 'model', 'state', 'level', 'reach', 'odometer', 'heard'];

export function useVehicleColumns(): Column<Vehicle>[] {
  const { texts, formats } = useLocalization();
  return useMemo(() => {
    const { vehicleFields: fields, vehicles } = texts;
    const optional = <Value,>(value: Value | undefined, format: (value: Value) => string) =>
      value === undefined ? undefined : format(value);
    const text = (
      id: string,
      name: keyof typeof fields,
      width: number,
      read: (vehicle: Vehicle) => string | number | undefined,
    ): Column<Vehicle> => ({
      id,
      header: fields[name],
      width,
      sortField: name,
      filterField: name,
      cell: read,
      csv: read,
    });
    const number = (
      id: string,
      name: keyof typeof fields,
      width: number,
      read: (vehicle: Vehicle) => number | undefined,
      format: (value: number) => string,
    ): Column<Vehicle> => ({
      id,
      header: fields[name],
      width,
      sortField: name,
      filterField: name,
      isNumeric: true,
      cell: (vehicle) => optional(read(vehicle), format),
      csv: read,
    });
    return [
      {
        id: 'plate',
        header: fields['information.licensePlate'],
        width: 150,
        sortField: 'information.licensePlate',
        filterField: 'information.licensePlate',
        cell: (vehicle) => <PlateLink vehicle={vehicle} />,
        csv: plateOf,
      },
      { ...text('model', 'information.vendor', 220, modelOf), header: vehicles.model, grows: true },
      {
        id: 'state',
        header: vehicles.state,
        width: 200,
        filterField: 'asset.active',
        cell: (vehicle) => <VehicleState vehicle={vehicle} />,
        csv: ({ asset }) => asset.active,
      },
      {
        id: 'level',
        header: fields['status.fuelLevel'],
        width: 120,
        sortField: 'status.fuelLevel',
        filterField: 'status.fuelLevel',
        isNumeric: true,
        cell: ({ status }) =>
          status.fuelLevel !== undefined && (
            <Level percent={status.fuelLevel} isCharging={status.isCharging} />
          ),
        csv: ({ status }) => status.fuelLevel,
      },
      number('reach', 'status.reach', 110, ({ status }) => status.reach, formats.kilometres),
      number(
        'odometer',
        'status.odometer',
        140,
        ({ status }) => status.odometer,
        formats.kilometres,
      ),
      {
        id: 'heard',
        header: fields['status.lastUpdated'],
        width: 148,
        sortField: 'status.lastUpdated',
        filterField: 'status.lastUpdated',
        cell: ({ status }) => <Age at={status.lastUpdated} />,
        csv: ({ status }) => status.lastUpdated,
      },
      text('vin', 'information.vin', 190, ({ information }) => information.vin),
      text('id', 'asset.id', 170, ({ asset }) => asset.id),
      number('seats', 'information.seats', 90, (one) => one.information.seats, formats.number),
      {
        ...text(
          'registered',
          'information.firstRegistrationDate',
          150,
          ({ information }) => information.firstRegistrationDate,
        ),
        cell: ({ information }) => optional(information.firstRegistrationDate, formats.date),
      },
      text('buildYear', 'information.buildYear', 100, (one) => one.information.buildYear),
      number(
        'battery',
        'information.evBatteryCapacity',
        120,
        ({ information }) => information.evBatteryCapacity,
        formats.kilowattHours,
      ),
      number(
        'tank',
        'information.iceTankCapacity',
        110,
        ({ information }) => information.iceTankCapacity,
        formats.litres,
      ),
      {
        ...text(
          'serviceDate',
          'status.nextServiceDate',
          140,
          ({ status }) => status.nextServiceDate,
        ),
        cell: ({ status }) => optional(status.nextServiceDate, formats.date),
      },
      number(
        'serviceDistance',
        'status.nextServiceDistance',
        150,
        ({ status }) => status.nextServiceDistance,
        formats.kilometres,
      ),
    ];
  }, [texts, formats]);
}

function PlateLink({ vehicle }: { vehicle: Vehicle }) {
  return (
    <AnchorLink
      to="/vehicles/$vehicleId"
      params={{ vehicleId: vehicle.asset.id }}
      data-row
      fw={500}
    >
      {plateOf(vehicle)}
    </AnchorLink>
  );
}
