import { etagOf, requireConditions } from '../../platform/http/etag.ts';
import { locationOf } from '../../platform/http/location.ts';
import { JsonText, operation, type ProviderRef } from '../../platform/http/operation.ts';
import { invalidBody, invalidPath } from '../../platform/http/problem.ts';
import type { Dependencies } from '../dependencies.ts';
import { exampleVehicle } from './example-vehicle.ts';
import {
  type VehicleRequest,
  VehicleRequestSchema,
  VehicleSchema,
  vehicleIdIssue,
} from './vehicle.ts';
import {
  conditionFailed,
  conditionHeaders,
  etagHeader,
  vehicleIdParameter,
} from './vehicle-scope.ts';
import { readVehicle, writeVehicle } from './vehicle-store.ts';
import { SharedVins, vinTaken } from './vin-uniqueness.ts';

export const putVehicle = operation({
  id: 'putVehicle',
  method: 'PUT',
  path: '/{vehicleId}',
  tag: 'Vehicles',
  role: 'editor',
  origin: 'motorpool',
  summary: 'Create or overwrite a vehicle',
  description:
    'Stores the vehicle under the id of the path, which begins with the codes of the asset provider. ' +
    'What the body leaves out is cleared; the status stays as it is. No two active vehicles have the same VIN. Within moments its periodic inspection is estimated and ' +
    'its maintenance planned. If-Match compares the state of asset and information: telemetry does not change it.',
  parameters: vehicleIdParameter,
  requestHeaders: conditionHeaders,
  body: {
    schema: VehicleRequestSchema,
    required: true,
    examples: {
      vehicle: {
        summary: 'A battery car',
        value: { asset: { active: true }, information: exampleVehicle.information },
      },
    },
  },
  responses: {
    200: {
      description: 'The vehicle, overwritten.',
      schema: VehicleSchema,
      example: exampleVehicle,
      headers: etagHeader,
    },
    201: {
      description: 'The vehicle, new.',
      schema: VehicleSchema,
      example: exampleVehicle,
      headers: { Location: 'The path of the vehicle.', ...etagHeader },
    },
  },
  notFound: [],
  problems: {
    ...conditionFailed,
    409: 'Another active vehicle of the asset provider has the VIN; the detail names it.',
  },
  async handler(
    { provider, parameters: { vehicleId }, header, body },
    { db, events, clock }: Dependencies,
  ) {
    const detail = vehicleIdIssue(vehicleId, provider);
    if (detail) throw invalidPath([{ pointer: '#vehicleId', detail }]);
    requireOwnId(provider, vehicleId, body);
    return db.transaction(async (tx) => {
      const written = await writeVehicle({ tx, events, clock }, provider, vehicleId, body).catch(
        (error: unknown) => {
          throw error instanceof SharedVins ? vinTaken(error) : error;
        },
      );
      const { item = '', version = 0 } = (await readVehicle(tx, provider, vehicleId)) ?? {};
      const replaced = { created: undefined, changed: version - 1, unchanged: version }[written];
      requireConditions(header, replaced);
      const headers = { etag: etagOf(version) };
      const answer = { headers, body: new JsonText(item) };
      if (written !== 'created') return { status: 200, ...answer };
      const location = locationOf(provider, vehicleId);
      return { status: 201, ...answer, headers: { ...headers, location } };
    });
  },
});

/** 400 for a body that says to be another vehicle than the path does. */
function requireOwnId(provider: ProviderRef, vehicleId: string, { asset }: VehicleRequest): void {
  const own = {
    id: vehicleId,
    assetProviderCountryCode: provider.countryCode,
    assetProviderCode: provider.code,
  };
  const issues = Object.entries(own)
    .filter(([name, value]) => (asset?.[name as keyof typeof own] ?? value) !== value)
    .map(([name, value]) => ({
      pointer: `/asset/${name}`,
      detail: `asset.${name} must be ${JSON.stringify(value)}, as in the path, or be left out.`,
    }));
  if (issues.length > 0) throw invalidBody(issues);
}
