import { Readable } from 'node:stream';
import { createImageConverter } from '../../../platform/images/image-converter.ts';
import { uuidFor } from '../../../platform/random/uuid.ts';
import type { DemoContext } from '../../demo-context.ts';
import { storeDemoObjects } from '../../files/public.ts';
import { type DemoVehicle, drawDemoVehicles } from '../../vehicles/public.ts';
import { writeImage } from '../image-store.ts';
import { imageWidths, wholeSize } from '../vehicle-image.ts';
import { pictureOf } from './picture.ts';

const counts = { rich: 4, small: 1 };

/** Some vehicles have a picture of their own. */
export async function seedImages(context: DemoContext): Promise<void> {
  const chosen = drawDemoVehicles(context, 'picture').slice(0, counts[context.extent]);
  const converted = await convertAll(context, chosen);
  for (const [index, vehicle] of chosen.entries()) {
    const { id } = vehicle.asset;
    const files = (converted[index] ?? []).map((file) => ({
      ...file,
      key: `${context.provider.id}/demo/${uuidFor(`${id}/picture/${file.size}/${file.format}`)}`,
    }));
    const objects = files.map(({ key, data }) => ({ key, bytes: data }));
    await storeDemoObjects(context, objects);
    const image = { uuid: uuidFor(`${id}/picture`), files };
    await writeImage(context.tx, context.provider, id, image, context.clock.now());
  }
}

async function convertAll({ provider }: DemoContext, vehicles: readonly DemoVehicle[]) {
  const converter = createImageConverter({
    processes: 2,
    maxWaiting: vehicles.length,
    maxWaitingOfTenant: vehicles.length,
    maxWaitMs: 120_000,
    maxRunMs: 60_000,
  });
  // Loaded by the first start of a demo alone.
  const { default: sharp } = await import('sharp');
  return Promise.all(
    vehicles.map(async (vehicle) => {
      const source = await sharp(Buffer.from(pictureOf(vehicle)))
        .png()
        .toBuffer();
      const sizes = [...imageWidths, wholeSize];
      const converted = await converter.convert(provider.id, async () => Readable.from([source]), {
        sizes,
      });
      if ('failure' in converted)
        throw new Error(`the picture of ${vehicle.asset.id} is ${converted.failure}`);
      return converted.renditions;
    }),
  );
}
