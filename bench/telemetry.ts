import { vehicleAt } from './data/vehicles.ts';
import type { Environment } from './environment.ts';
import { timePlaceholder } from './load/load.ts';

/** A message as a box sends it. */
export type BoxMessage = {
  vehicleId: string;
  timestamp: string;
  location: { lat: number; lng: number };
  odometer: number;
  fuelLevel: number;
  reach: number;
  isLocked: boolean;
  engineActive: boolean;
  isCharging?: boolean;
  isPluggedIn?: boolean;
};

export const batchSize = 500;
const maxBatches = 200;

/** Batches without a common vehicle, all in service; one electric vehicle in twenty is charging. */
export function batchesOf({ vehicles, idPrefix }: Environment): BoxMessage[][] {
  const indexes = activeVehicles(vehicles, idPrefix);
  const count = Math.max(1, Math.floor(indexes.length / batchSize));
  return Array.from({ length: count }, (_, batch) =>
    Array.from({ length: batchSize }, (_, number) =>
      messageOf(indexes[(batch * batchSize + number) % indexes.length] ?? 0, idPrefix),
    ),
  );
}

/** As many as the batches need, if there are. */
function activeVehicles(vehicles: number, idPrefix: string): number[] {
  const indexes: number[] = [];
  for (let index = 0; index < vehicles && indexes.length < maxBatches * batchSize; index++)
    if (vehicleAt(index, idPrefix).active) indexes.push(index);
  return indexes;
}

function messageOf(index: number, idPrefix: string): BoxMessage {
  const vehicle = vehicleAt(index, idPrefix);
  const isElectric = vehicle.evBatteryCapacity !== '';
  const isCharging = index % 20 === 0;
  return {
    vehicleId: String(vehicle.id),
    timestamp: timePlaceholder,
    location: { lat: Number(vehicle.lat), lng: Number(vehicle.lng) },
    // A leap of more, so soon after the import, would be doubted.
    odometer: Number(vehicle.odometer) + 0.5,
    fuelLevel: Number(vehicle.fuelLevel),
    reach: Number(vehicle.reach),
    isLocked: false,
    engineActive: !(isElectric && isCharging),
    ...(isElectric && { isCharging, isPluggedIn: isCharging }),
  };
}

/** Messages as one array literal per signal: the driver would quote every element. */
export function columnsOf(messages: readonly BoxMessage[]): string[] {
  const column = (of: (message: BoxMessage) => string | number | boolean | undefined) =>
    `{${messages.map((message) => of(message) ?? 'NULL').join(',')}}`;
  return [
    column(({ vehicleId }) => vehicleId),
    column(({ odometer }) => odometer),
    column(({ fuelLevel }) => fuelLevel),
    column(({ reach }) => reach),
    column(({ location }) => location.lat),
    column(({ location }) => location.lng),
    column(({ isLocked }) => isLocked),
    column(({ engineActive }) => engineActive),
    column(({ isCharging }) => isCharging),
    column(({ isPluggedIn }) => isPluggedIn),
  ];
}
