import { deleteMatching } from '../../platform/http/etag.ts';
import { operation } from '../../platform/http/operation.ts';
import type { Dependencies } from '../dependencies.ts';
import { lockForDeletion } from './lock-vehicles.ts';
import { changedMeanwhile, ifMatchHeader, vehicleIdParameter } from './vehicle-scope.ts';

export const deleteVehicle = operation({
  id: 'deleteVehicle',
  method: 'DELETE',
  path: '/{vehicleId}',
  tag: 'Vehicles',
  role: 'editor',
  origin: 'motorpool',
  summary: 'Delete a vehicle',
  description: 'Deletes the vehicle and all that belongs to it. A second call answers 404.',
  parameters: vehicleIdParameter,
  requestHeaders: ifMatchHeader,
  responses: { 204: { description: 'The vehicle is deleted.' } },
  notFound: ['vehicle'],
  problems: changedMeanwhile,
  async handler({ provider, parameters, header }, { db, events }: Dependencies) {
    const { vehicleId } = parameters;
    return db.transaction(async (tx) => {
      await lockForDeletion(tx, provider.id, vehicleId);
      await deleteMatching(tx, 'vehicle', vehicleRow, [provider.id, vehicleId], header('if-match'));
      await events.publish(tx, 'vehiclesDeleted', {
        providerId: provider.id,
        vehicleIds: [vehicleId],
      });
      return { status: 204 };
    });
  },
});

const vehicleRow = 'vehicles where provider = $1 and id = $2';
