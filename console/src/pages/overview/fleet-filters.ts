import { formatFilter } from '../../table/table-search.ts';
import { chargingKnownSeconds, drivingKnownSeconds } from '../../values/vehicle-state.tsx';

const secondsOfDay = 86_400;

const filter = (field: string, operator: 'eq' | 'gte' | 'lte', value: unknown) =>
  formatFilter({ field, operator, value: String(value) });

/** Parts of the fleet that have a number on the overview, as the table of vehicles filters them. */
export const fleetFilters = {
  inService: [filter('asset.active', 'eq', true)],
  charging: [
    filter('status.isCharging', 'eq', true),
    filter('status.staleSeconds', 'lte', chargingKnownSeconds),
  ],
  driving: [
    filter('status.engineActive', 'eq', true),
    filter('status.staleSeconds', 'lte', drivingKnownSeconds),
  ],
  batteryLow: [
    filter('asset.active', 'eq', true),
    filter('information.evBatteryCapacity', 'gte', 1),
    filter('status.fuelLevel', 'lte', 20),
    filter('status.isPluggedIn', 'eq', false),
  ],
  silent: [filter('asset.active', 'eq', true), filter('status.staleSeconds', 'gte', secondsOfDay)],
};

export type FleetPart = keyof typeof fleetFilters;
