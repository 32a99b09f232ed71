import {
  updateAssets,
  type Vehicle,
  writeVehicles,
  writtenImage,
} from '../fleet/vehicles/public.ts';
import { vehicleFields } from '../fleet/vehicles/vehicle-fields.ts';
import type { Database } from '../platform/db/database.ts';
import type { FieldType } from '../platform/search/field.ts';
import { quietWriter } from './no-subscribers.ts';

const models = [
  ['VW', 'Golf', '1.5 TSI_Life'],
  ['VW', 'ID.3', 'Pro 100% S'],
  ['BMW', '320d', 'Touring'],
  ['Škoda', 'Octavia', 'Combi \\ RS'],
  ['Citroën', 'Berlingo', undefined],
] as const;

const batchSize = 1_000;

/** Vehicles with every field set on some and missing on others, and many equal values. */
export async function makeFleet(
  db: Database,
  countryCode: string,
  code: string,
  count: number,
  { hasImages = true } = {},
): Promise<Vehicle[]> {
  const fleet = Array.from({ length: count }, (_, index) => makeVehicle(countryCode, code, index));
  if (!hasImages) for (const { asset } of fleet) delete asset.blobUuid;
  const provider = { id: `${countryCode}-${code}`, countryCode, code };
  for (let from = 0; from < count; from += batchSize) {
    const batch = fleet.slice(from, from + batchSize);
    await writeVehicles(quietWriter(db), provider, batch);
    await nameImages(db, provider.id, batch);
  }
  return fleet;
}

/** As uploads do. */
async function nameImages(db: Database, providerId: string, fleet: Vehicle[]): Promise<void> {
  const updates = fleet
    .filter(({ asset }) => asset.blobUuid !== undefined)
    .map(({ asset: { id, blobUuid } }) => ({ id, asset: { blobUuid } }));
  await updateAssets(db, providerId, ['blobUuid'], updates, new Date());
}

function makeVehicle(countryCode: string, code: string, index: number): Vehicle {
  // Every third, fifth… lacks the value; different intervals mix the fields.
  const some = <Value>(every: number, value: Value) => (index % every === 0 ? undefined : value);
  const tracked = some(8, index % 2 === 0);
  const day = String((index % 28) + 1).padStart(2, '0');
  const [vendor, model, variant] = models[index % models.length] ?? models[0];
  const vehicle: Vehicle = {
    asset: {
      id: `${countryCode}*${code}*T${String(index * 7).padStart(4, '0')}`,
      assetProviderCountryCode: countryCode,
      assetProviderCode: code,
      blobUuid: some(2, `00000000-0000-4000-8000-${String(index % 40).padStart(12, '0')}`),
      defaultImage: some(3, `https://images.example.com/${index % 10}.png`),
      active: index % 20 !== 13,
    },
    information: {
      vin: some(11, `WVWZZZ1KZ${String(index).padStart(8, '0')}`),
      vendor: some(13, vendor),
      model: some(13, model),
      variant: some(7, variant),
      licensePlate: some(5, `B-MP ${index}`),
      seats: some(4, 2 + (index % 6)),
      firstRegistrationDate: some(6, `20${10 + (index % 15)}-0${1 + (index % 9)}-${day}`),
      buildYear: some(7, 2010 + (index % 15)),
      evBatteryCapacity: some(3, 40.5 + (index % 12)),
      iceTankCapacity: some(5, 35.25 + (index % 20)),
      trackGeolocation: tracked,
    },
    status: {
      lastUpdated: some(
        9,
        `2026-10-${day}T0${index % 10}:00:00.${String(index % 1000).padStart(3, '0')}Z`,
      ),
      // None where it must not be stored.
      location: tracked === false ? undefined : some(10, positionOf(index)),
      odometer: some(12, (index * 977) % 120_000),
      reach: some(8, (index * 13) % 600),
      fuelLevel: some(7, (index * 3) % 101),
      nextServiceDate: some(9, `2027-0${1 + (index % 9)}-${day}`),
      nextServiceDistance: some(10, ((index * 501) % 30_000) - 5_000),
    },
  };
  addOtherFields(vehicle, index);
  vehicle.asset.defaultImage = writtenImage(vehicle.asset.defaultImage, vehicle.information);
  return withoutUndefined(vehicle);
}

/** Fields whose values do not matter. */
function addOtherFields(vehicle: Vehicle, index: number): void {
  const values: Partial<Record<FieldType, unknown>> = {
    boolean: index % 2 === 0,
    number: 2 + (index % 10) / 10,
    text: `Text ${index % 60}`,
    date: `2025-0${1 + (index % 9)}-15`,
  };
  for (const [position, { path, type }] of vehicleFields.entries()) {
    const [part, name, inner] = path.split('.') as [keyof Vehicle, string, string?];
    const fields = vehicle[part] as Record<string, unknown>;
    if (inner !== undefined || name in fields || index % (3 + (position % 9)) === 0) continue;
    fields[name] = values[type];
  }
}

function positionOf(index: number) {
  return { lat: 52 + index / 1000, lng: 13 - index / 1000 };
}

function withoutUndefined(vehicle: Vehicle): Vehicle {
  return JSON.parse(JSON.stringify(vehicle));
}
