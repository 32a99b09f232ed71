import { etagOf } from '../../platform/http/etag.ts';
import { JsonText, operation } from '../../platform/http/operation.ts';
import { notFound } from '../../platform/http/problem.ts';
import type { Dependencies } from '../dependencies.ts';
import { exampleVehicle } from './example-vehicle.ts';
import { VehicleSchema } from './vehicle.ts';
import { etagHeader, vehicleIdParameter } from './vehicle-scope.ts';
import { readVehicle } from './vehicle-store.ts';

export const getVehicle = operation({
  id: 'getVehicle',
  method: 'GET',
  path: '/{vehicleId}',
  tag: 'Vehicles',
  role: 'viewer',
  origin: 'motorpool',
  summary: 'Read a vehicle',
  description:
    'Returns one vehicle, in the shape of an item of the search. If-Match compares the state of asset and information: telemetry ' +
    'does not change it.',
  parameters: vehicleIdParameter,
  responses: {
    200: {
      description: 'The vehicle.',
      schema: VehicleSchema,
      example: exampleVehicle,
      headers: etagHeader,
    },
  },
  notFound: ['vehicle'],
  async handler({ provider, parameters }, { db }: Dependencies) {
    const vehicle = await readVehicle(db, provider, parameters.vehicleId);
    if (!vehicle) throw notFound('vehicle');
    const { item, version } = vehicle;
    return { status: 200, headers: { etag: etagOf(version) }, body: new JsonText(item) };
  },
});
