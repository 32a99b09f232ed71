import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import sharp from 'sharp';
import { createWorker, OEM, PSM, type Worker } from 'tesseract.js';
import type { Raster } from './raster.ts';
import type { Word } from './recognised-document.ts';

type Language = 'deu' | 'eng';

export type TextRecogniser = {
  recognise(raster: Raster, language: Language): Promise<Word[]>;
  close(): Promise<void>;
};

const require = createRequire(import.meta.url);

/** One language at a time: with both at once, umlauts are lost where the English data are surer of a word. */
export function openTextRecogniser(): TextRecogniser {
  const workers = new Map<Language, Promise<Worker>>();
  const workerOf = (language: Language) => {
    const worker = workers.get(language) ?? openWorker(language);
    workers.set(language, worker);
    return worker;
  };
  return {
    async recognise(raster, language) {
      const worker = await workerOf(language);
      const { data } = await worker.recognize(
        await pngOf(raster),
        {},
        { blocks: true, text: false },
      );
      return (data.blocks ?? [])
        .flatMap(({ paragraphs }) => paragraphs)
        .flatMap(({ lines }) => lines)
        .flatMap(({ words }) => words)
        .filter(({ text }) => /[\p{L}\p{N}]/u.test(text))
        .map(({ text, confidence, bbox: { x0, y0, x1, y1 } }) => ({
          text,
          confidence: confidence / 100,
          box: { x: x0, y: y0, width: x1 - x0, height: y1 - y0 },
        }));
    },
    async close() {
      for (const worker of workers.values()) await (await worker).terminate();
    },
  };
}

/** With data and programs from node_modules alone, and nothing stored. */
async function openWorker(language: Language): Promise<Worker> {
  const data = dirname(require.resolve(`@tesseract.js-data/${language}/package.json`));
  const worker = await createWorker(language, OEM.LSTM_ONLY, {
    langPath: join(data, '4.0.0_best_int'),
    cacheMethod: 'none',
    gzip: true,
  });
  // The fields of forms are sparse, and their order is that of the boxes.
  await worker.setParameters({ tessedit_pageseg_mode: PSM.SPARSE_TEXT });
  return worker;
}

function pngOf({ width, height, pixels }: Raster): Promise<Buffer> {
  const picture = sharp(pixels, { raw: { width, height, channels: 1 } });
  return picture.png({ compressionLevel: 1 }).toBuffer();
}
