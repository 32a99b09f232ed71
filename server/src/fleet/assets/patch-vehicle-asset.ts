import Type from 'typebox';
import { etagOf, requireMatch } from '../../platform/http/etag.ts';
import { JsonText, operation } from '../../platform/http/operation.ts';
import { notFound } from '../../platform/http/problem.ts';
import type { Dependencies } from '../dependencies.ts';
import {
  changedMeanwhile,
  etagHeader,
  exampleVehicle,
  ifMatchHeader,
  readVehicle,
  requireUniqueVins,
  requireVehicle,
  SharedVins,
  updateAssets,
  VehicleSchema,
  vehicleIdParameter,
  vinTaken,
} from '../vehicles/public.ts';

const AssetPatchSchema = Type.Object(
  {
    active: Type.Boolean({
      description: 'Whether the vehicle is in service.',
      examples: [false],
    }),
  },
  { $id: 'VehicleAssetPatch', additionalProperties: false },
);

export const patchVehicleAsset = operation({
  id: 'patchVehicleAsset',
  method: 'PATCH',
  path: '/{vehicleId}/asset',
  tag: 'Assets',
  role: 'editor',
  origin: 'motorpool',
  summary: 'Activate or deactivate a vehicle',
  description:
    'A vehicle that is deactivated keeps its records and its status. Its telemetry is rejected, its inspection is not estimated, and its ' +
    'maintenance is not planned, until it is activated again. Both take effect on estimates and plans within moments. The vehicle is answered as it is ' +
    'then; what is so already is left as it is.',
  parameters: vehicleIdParameter,
  requestHeaders: ifMatchHeader,
  body: {
    schema: AssetPatchSchema,
    required: true,
    examples: {
      deactivate: { summary: 'Out of service', value: { active: false } },
      activate: { summary: 'In service', value: { active: true } },
    },
  },
  responses: {
    200: {
      description: 'The vehicle.',
      schema: VehicleSchema,
      example: exampleVehicle,
      headers: etagHeader,
    },
  },
  notFound: ['vehicle'],
  problems: {
    ...changedMeanwhile,
    409: 'Another active vehicle of the asset provider has the VIN; the detail names it.',
  },
  async handler(
    { provider, parameters: { vehicleId }, header, body: { active } },
    { db, events, clock }: Dependencies,
  ) {
    return db.transaction(async (tx) => {
      await requireVehicle(tx, provider, vehicleId, 'for no key update');
      const before = await readVehicle(tx, provider, vehicleId);
      requireMatch(header('if-match'), before?.version);
      const update = { id: vehicleId, asset: { active } };
      const [changed] = await updateAssets(tx, provider.id, ['active'], [update], clock.now());
      if (changed) {
        await requireUniqueVins(tx, provider.id, [vehicleId]).catch((error: unknown) => {
          throw error instanceof SharedVins ? vinTaken(error) : error;
        });
        const vehicleIds = [vehicleId];
        await events.publish(tx, 'vehiclesChanged', { providerId: provider.id, vehicleIds });
      }
      const vehicle = await readVehicle(tx, provider, vehicleId);
      if (!vehicle) throw notFound('vehicle');
      const { item, version } = vehicle;
      return { status: 200, headers: { etag: etagOf(version) }, body: new JsonText(item) };
    });
  },
});
