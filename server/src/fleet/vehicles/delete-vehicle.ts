import { operation } from '../../platform/http/operation.ts';
import { notFound } from '../../platform/http/problem.ts';
import type { Dependencies } from '../dependencies.ts';
import { vehicleIdParameter } from './vehicle-scope.ts';

export const deleteVehicle = operation({
  id: 'deleteVehicle',
  method: 'DELETE',
  path: '/{vehicleId}',
  tag: 'Vehicles',
  origin: 'motorpool',
  summary: 'Delete a vehicle',
  description: 'Deletes the vehicle and all that belongs to it. A second call answers 404.',
  parameters: vehicleIdParameter,
  responses: { 204: { description: 'The vehicle is deleted.' } },
  notFound: ['vehicle'],
  async handler({ provider, parameters }, { db, events }: Dependencies) {
    const { vehicleId } = parameters;
    return db.transaction(async (tx) => {
      const deleted = await tx.query(
        'delete from vehicles where provider = $1 and id = $2 returning id',
        [provider.id, vehicleId],
      );
      if (deleted.length === 0) throw notFound('vehicle');
      await events.publish(tx, 'vehiclesDeleted', {
        providerId: provider.id,
        vehicleIds: [vehicleId],
      });
      return { status: 204 };
    });
  },
});
