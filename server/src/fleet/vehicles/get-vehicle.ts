import { JsonText, operation } from '../../platform/http/operation.ts';
import { notFound } from '../../platform/http/problem.ts';
import type { Dependencies } from '../dependencies.ts';
import { exampleVehicle } from './example-vehicle.ts';
import { VehicleSchema } from './vehicle.ts';
import { vehicleIdParameter } from './vehicle-scope.ts';
import { readVehicle } from './vehicle-store.ts';

export const getVehicle = operation({
  id: 'getVehicle',
  method: 'GET',
  path: '/{vehicleId}',
  tag: 'Vehicles',
  origin: 'motorpool',
  summary: 'Read a vehicle',
  description: 'Returns one vehicle, in the shape of an item of the search.',
  parameters: vehicleIdParameter,
  responses: {
    200: { description: 'The vehicle.', schema: VehicleSchema, example: exampleVehicle },
  },
  notFound: ['vehicle'],
  async handler({ provider, parameters }, { db }: Dependencies) {
    const vehicle = await readVehicle(db, provider, parameters.vehicleId);
    if (!vehicle) throw notFound('vehicle');
    return { status: 200, body: new JsonText(vehicle) };
  },
});
