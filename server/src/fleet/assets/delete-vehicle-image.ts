import { operation } from '../../platform/http/operation.ts';
import { notFound } from '../../platform/http/problem.ts';
import type { Dependencies } from '../dependencies.ts';
import { releaseObjects } from '../files/public.ts';
import { requireVehicle, vehicleIdParameter } from '../vehicles/public.ts';
import { readImageUuid, writeImage } from './image-store.ts';
import { imageConditionHeaders, requireImageConditions } from './vehicle-image.ts';

export const deleteVehicleImage = operation({
  id: 'deleteVehicleImage',
  method: 'DELETE',
  path: '/{vehicleId}/image',
  tag: 'Assets',
  role: 'editor',
  origin: 'motorpool',
  summary: 'Delete the image of a vehicle',
  description:
    'Deletes the image in all sizes, its record and its bytes. A second call answers 404. The `defaultImage` of the asset stays.',
  parameters: vehicleIdParameter,
  requestHeaders: imageConditionHeaders,
  responses: { 204: { description: 'The image is deleted.' } },
  notFound: ['vehicle', 'image'],
  problems: { 412: 'The image is not the one that If-Match names.' },
  async handler({ provider, parameters, header }, dependencies: Dependencies) {
    const { db, clock } = dependencies;
    const { vehicleId } = parameters;
    await db.transaction(async (tx) => {
      await requireVehicle(tx, provider, vehicleId, 'for no key update');
      const uuid = await readImageUuid(tx, provider, vehicleId);
      if (uuid === undefined) throw notFound('image');
      requireImageConditions((name) => (name === 'if-match' ? header(name) : undefined), uuid);
      const keys = await writeImage(tx, provider, vehicleId, undefined, clock.now());
      await releaseObjects(tx, dependencies, provider.id, keys);
    });
    return { status: 204 };
  },
});
