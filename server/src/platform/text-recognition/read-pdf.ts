import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import {
  GlobalWorkerOptions,
  getDocument,
  type PageViewport,
  type PDFDocumentProxy,
  type PDFPageProxy,
  Util,
} from 'pdfjs-dist/legacy/build/pdf.min.mjs';
import { textOf } from './page-text.ts';
import type { Raster } from './raster.ts';
import {
  type RecognisedDocument,
  type RecognisedPage,
  RecognitionError,
  type RecognitionLimits,
  type TickBox,
  type Word,
} from './recognised-document.ts';
import { findTickBoxes } from './tick-boxes.ts';

// Of a page without a text layer, some programs still leave a stamp.
const minTextLength = 20;
const renderedSide = 2_600;
const tickBoxSide = 1_600;

const folder = dirname(createRequire(import.meta.url).resolve('pdfjs-dist/package.json'));

// Half as large, so that they are compiled in half the time.
GlobalWorkerOptions.workerSrc = `${folder}/legacy/build/pdf.worker.min.mjs`;

/** A PDF may claim any number; more are stored nowhere. */
const maxPageCount = 1_000_000;

/** The text layers of a PDF; pages without one are rendered for `recognise`. */
export async function readPdf(
  bytes: Buffer,
  limits: RecognitionLimits,
  recognise: (picture: Raster) => Promise<RecognisedPage>,
): Promise<RecognisedDocument> {
  const pdf = await openPdf(bytes, limits);
  if (pdf.numPages < 1) throw new RecognitionError('damaged');
  const pages: RecognisedPage[] = [];
  let source: RecognisedDocument['source'] = 'text-layer';
  for (let number = 1; number <= Math.min(pdf.numPages, limits.pages); number++) {
    const page = await pdf.getPage(number);
    const layer = await readTextLayer(page);
    if (layer.text.length >= minTextLength) {
      pages.push({ ...layer, tickBoxes: await readTickBoxes(pdf, page) });
    } else {
      source = 'recognition';
      pages.push(await recognise(await renderPage(pdf, page, renderedSide)));
    }
    page.cleanup();
  }
  return { pages, pageCount: Math.min(pdf.numPages, maxPageCount), source };
}

async function openPdf(bytes: Buffer, { pixels }: RecognitionLimits): Promise<PDFDocumentProxy> {
  try {
    return await getDocument({
      data: new Uint8Array(bytes),
      standardFontDataUrl: `${folder}/standard_fonts/`,
      cMapUrl: `${folder}/cmaps/`,
      iccUrl: `${folder}/iccs/`,
      wasmUrl: `${folder}/wasm/`,
      isEvalSupported: false,
      useSystemFonts: false,
      maxImageSize: pixels,
      verbosity: 0,
    }).promise;
  } catch (error) {
    const isEncrypted = error instanceof Error && error.name === 'PasswordException';
    throw new RecognitionError(isEncrypted ? 'encrypted' : 'damaged', { cause: error });
  }
}

async function readTextLayer(page: PDFPageProxy): Promise<RecognisedPage> {
  const viewport = page.getViewport({ scale: 1 });
  const { items } = await page.getTextContent();
  const printed = items.flatMap((item) => ('str' in item ? wordsOf(item, viewport) : []));
  const words = [...printed, ...(await readFormFields(page, viewport))];
  const { width, height } = viewport;
  return { width, height, words, tickBoxes: [], text: textOf(words) };
}

type TextItem = { str: string; width: number; transform: number[] };

/** The words of a run of text, each with its share of the run's width. */
function wordsOf({ str, width, transform }: TextItem, viewport: PageViewport): Word[] {
  const [, , c = 0, d = 0, x = 0, baseline = 0] = Util.transform(viewport.transform, transform);
  const height = Math.hypot(c, d);
  return Array.from(str.matchAll(/\S+/g), ({ 0: text, index }) => ({
    text,
    confidence: 1,
    box: {
      x: x + (width * index) / str.length,
      y: baseline - 0.8 * height,
      width: (width * text.length) / str.length,
      height,
    },
  }));
}

/** What was typed into the fields of a form, which is not part of the text layer. */
async function readFormFields(page: PDFPageProxy, viewport: PageViewport): Promise<Word[]> {
  const annotations = await page.getAnnotations();
  return annotations.flatMap(({ subtype, fieldType, fieldValue, rect }) => {
    if (subtype !== 'Widget' || fieldType !== 'Tx' || typeof fieldValue !== 'string') return [];
    const [x1 = 0, y1 = 0, x2 = 0, y2 = 0] = viewport.convertToViewportRectangle(rect) as number[];
    const lines = fieldValue.split(/\r\n?|\n/);
    const height = Math.abs(y2 - y1) / lines.length;
    return lines.flatMap((line, index) => {
      const size = Math.min(height, 10);
      const y = Math.min(y1, y2) + index * height + (height - size) / 2;
      return Array.from(line.matchAll(/\S+/g), ({ 0: text, index: start }) => ({
        text,
        confidence: 1,
        box: {
          x: Math.min(x1, x2) + 0.5 * size * start,
          y,
          width: 0.5 * size * text.length,
          height: size,
        },
      }));
    });
  });
}

/** Crosses may be drawn, and are then in no text layer. */
async function readTickBoxes(pdf: PDFDocumentProxy, page: PDFPageProxy): Promise<TickBox[]> {
  const { width } = page.getViewport({ scale: 1 });
  const raster = await renderPage(pdf, page, tickBoxSide);
  const scale = width / raster.width;
  return findTickBoxes(raster).map(({ box, isTicked }) => ({
    box: {
      x: box.x * scale,
      y: box.y * scale,
      width: box.width * scale,
      height: box.height * scale,
    },
    isTicked,
  }));
}

type Canvas = {
  canvas: object;
  context: { getImageData(x: number, y: number, w: number, h: number): { data: Uint8Array } };
};
type CanvasFactory = {
  create(width: number, height: number): Canvas;
  destroy(canvas: Canvas): void;
};

async function renderPage(
  pdf: PDFDocumentProxy,
  page: PDFPageProxy,
  side: number,
): Promise<Raster> {
  const { width, height } = page.getViewport({ scale: 1 });
  const viewport = page.getViewport({ scale: side / Math.max(width, height) });
  const factory = pdf.canvasFactory as CanvasFactory;
  const made = factory.create(
    Math.max(1, Math.ceil(viewport.width)),
    Math.max(1, Math.ceil(viewport.height)),
  );
  const { canvas, context } = made;
  await page.render({ canvas, canvasContext: context, viewport } as never).promise;
  const raster = greyOf(made, Math.ceil(viewport.width), Math.ceil(viewport.height));
  factory.destroy(made);
  return raster;
}

function greyOf({ context }: Canvas, width: number, height: number): Raster {
  const { data } = context.getImageData(0, 0, width, height);
  const pixels = new Uint8Array(width * height);
  for (let index = 0; index < pixels.length; index++) {
    const red = data[4 * index] as number;
    const green = data[4 * index + 1] as number;
    const blue = data[4 * index + 2] as number;
    pixels[index] = 0.299 * red + 0.587 * green + 0.114 * blue;
  }
  return { width, height, pixels };
}
