import { JsonText, operation } from '../../platform/http/operation.ts';
import { invalidPath } from '../../platform/http/problem.ts';
import type { Dependencies } from '../dependencies.ts';
import { exampleVehicle } from './example-vehicle.ts';
import { VehicleRequestSchema, VehicleSchema, vehicleIdIssue } from './vehicle.ts';
import { vehicleIdParameter } from './vehicle-scope.ts';
import { readVehicle, writeVehicle } from './vehicle-store.ts';

export const putVehicle = operation({
  id: 'putVehicle',
  method: 'PUT',
  path: '/{vehicleId}',
  tag: 'Vehicles',
  origin: 'motorpool',
  summary: 'Make or overwrite a vehicle',
  description:
    'Keeps the vehicle under the id of the path, which begins with the codes of the asset provider. ' +
    'What the body leaves out is cleared; the status stays as it is. Within moments its periodic inspection is estimated and ' +
    'its maintenance planned.',
  parameters: vehicleIdParameter,
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
    },
    201: { description: 'The vehicle, new.', schema: VehicleSchema, example: exampleVehicle },
  },
  notFound: [],
  async handler({ provider, parameters: { vehicleId }, body }, { db, events }: Dependencies) {
    const detail = vehicleIdIssue(vehicleId, provider);
    if (detail) throw invalidPath([{ pointer: '#vehicleId', detail }]);
    return db.transaction(async (tx) => {
      const written = await writeVehicle({ tx, events }, provider, vehicleId, body);
      const vehicle = await readVehicle(tx, provider, vehicleId);
      return { status: written === 'created' ? 201 : 200, body: new JsonText(vehicle ?? '') };
    });
  },
});
