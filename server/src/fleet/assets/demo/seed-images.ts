import { spawnSync } from 'node:child_process';
import { Readable } from 'node:stream';
import { createImageConverter } from '../../../platform/images/image-converter.ts';
import { moduleFile } from '../../../platform/isolation/module-file.ts';
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
    maxWaitMs: 600_000,
    maxRunMs: 600_000,
  });
  const sizes = [...imageWidths, wholeSize];
  return Promise.all(
    renderAll(vehicles.map(pictureOf)).map(async (png) => {
      const converted = await converter.convert(provider.id, async () => Readable.from([png]), {
        sizes,
      });
      if ('failure' in converted) throw new Error(`a picture of the demo is ${converted.failure}`);
      return converted.renditions;
    }),
  );
}

function renderAll(svgs: readonly string[]): Buffer[] {
  const worker = moduleFile(import.meta.dirname, 'render-worker.ts');
  const { status, stdout, stderr } = spawnSync(process.execPath, [worker], {
    input: JSON.stringify(svgs),
    maxBuffer: 64 * 1_048_576,
  });
  if (status !== 0) throw new Error(`the pictures of the demo cannot be drawn: ${stderr}`);
  return (JSON.parse(String(stdout)) as string[]).map((png) => Buffer.from(png, 'base64'));
}
