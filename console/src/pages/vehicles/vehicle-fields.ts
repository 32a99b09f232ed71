import type { FilterField } from '../../table/filter-bar.tsx';
import type { FieldType } from '../../table/table-search.ts';
import type { Texts } from '../../texts/texts.ts';

/** The fields of a vehicle that people filter by; their labels are in the catalogues. */
const types: Record<keyof Texts['vehicleFields'], FieldType> = {
  'information.licensePlate': 'text',
  'information.vin': 'text',
  'information.vendor': 'text',
  'information.model': 'text',
  'information.variant': 'text',
  'information.seats': 'number',
  'information.firstRegistrationDate': 'date',
  'information.buildYear': 'number',
  'information.evBatteryCapacity': 'number',
  'information.iceTankCapacity': 'number',
  'information.trackGeolocation': 'boolean',
  'asset.active': 'boolean',
  'asset.id': 'text',
  'status.fuelLevel': 'number',
  'status.reach': 'number',
  'status.odometer': 'number',
  'status.isCharging': 'boolean',
  'status.isPluggedIn': 'boolean',
  'status.engineActive': 'boolean',
  'status.isLocked': 'boolean',
  'status.doorsClosed': 'boolean',
  'status.windowsClosed': 'boolean',
  'status.headlightsActive': 'boolean',
  'status.immobilizerActive': 'boolean',
  'status.tirePressureFrontLeft': 'number',
  'status.tirePressureFrontRight': 'number',
  'status.tirePressureRearLeft': 'number',
  'status.tirePressureRearRight': 'number',
  'status.nextServiceDate': 'date',
  'status.nextServiceDistance': 'number',
  'status.lastUpdated': 'time',
  'status.staleSeconds': 'number',
};

export function vehicleFields({ vehicleFields: labels }: Texts): FilterField[] {
  return Object.entries(types).map(([field, type]) => ({
    field,
    type,
    label: labels[field as keyof typeof labels],
  }));
}

/** Those of views that programs have saved; what else they may have is compared as text is. */
const otherTypes: Readonly<Record<string, FieldType>> = {
  'status.location.lat': 'number',
  'status.location.lng': 'number',
};

const typesByPath: Readonly<Record<string, FieldType>> = { ...types, ...otherTypes };

export const vehicleFieldType = (field: string): FieldType => typesByPath[field] ?? 'text';

/** The interface also takes the bare name of a field. */
export function vehicleFieldPath(name: string): string {
  return Object.keys(typesByPath).find((path) => path.endsWith(`.${name}`)) ?? name;
}
