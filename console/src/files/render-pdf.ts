import { GlobalWorkerOptions, getDocument, type PDFDocumentProxy } from 'pdfjs-dist';
import workerUrl from 'pdfjs-dist/build/pdf.worker.min.mjs?url';
import { drawnPage } from './drawn-page.ts';

GlobalWorkerOptions.workerSrc = new URL(workerUrl, location.href).href;

export type RenderedPdf = { pages: Blob[]; pageCount: number };

/** Draws the first pages of a PDF: the viewers of browsers need what the policy of the console refuses. */
export async function renderPdf(pdf: Blob, mostPages: number): Promise<RenderedPdf> {
  const task = getDocument({ data: new Uint8Array(await pdf.arrayBuffer()) });
  try {
    const document = await task.promise;
    const pages: Blob[] = [];
    for (let number = 1; number <= Math.min(mostPages, document.numPages); number++)
      pages.push(await renderPage(document, number));
    return { pages, pageCount: document.numPages };
  } finally {
    await task.destroy();
  }
}

async function renderPage(pdf: PDFDocumentProxy, number: number): Promise<Blob> {
  const page = await pdf.getPage(number);
  const { scale, width, height } = drawnPage(page.getViewport({ scale: 1 }));
  const viewport = page.getViewport({ scale });
  const canvas = document.createElement('canvas');
  canvas.width = width;
  canvas.height = height;
  await page.render({ canvas, viewport }).promise;
  return new Promise((resolve, reject) =>
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error('No picture was drawn')))),
  );
}
