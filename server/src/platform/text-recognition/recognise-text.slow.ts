import { join } from 'node:path';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import sharp from 'sharp';
import { expect, onTestFinished, test, vi } from 'vitest';
import { letter } from '../../testing/documents/letter.ts';
import { jpegOf, photograph, renderPdf, rotate } from '../../testing/documents/photograph.ts';
import { startIsolated } from '../isolation/isolated-process.ts';
import { recogniseText } from './recognise-text.ts';
import { parseDocument, type RecognitionLimits, recognitionLimits } from './recognised-document.ts';

const recognise = (bytes: Buffer, limits: Partial<RecognitionLimits> = {}) =>
  recogniseText('DE-ABC', () => Readable.from([bytes]), limits);
const read = async (...given: Parameters<typeof recognise>) =>
  parseDocument(await recognise(...given));

const lines = ['Unfallort: Königsallee 27, Düsseldorf', 'Fahrer: Jürgen Groß'];

test('the text layer of a PDF is read with the place of every word, up to the limit of pages', async () => {
  const pdf = await letter([lines, ['The second page of a letter'], ['The third page of it']]);
  const { pages, pageCount, source } = await read(pdf, { pages: 2 });
  expect([pages.length, pageCount, source]).toEqual([2, 3, 'text-layer']);
  expect(pages.map((page) => page.text)).toEqual([lines.join('\n'), 'The second page of a letter']);
  const word = pages[0]?.words.find(({ text }) => text === 'Düsseldorf');
  expect(word).toMatchObject({ confidence: 1, box: { height: 14 } });
  expect(word?.box.x).toBeGreaterThan(200);
  expect(word?.box.y).toBeLessThan(80);
});

test('what is kept of a document comes apart, and the rest is not parsed here', async () => {
  const pdf = await letter([lines, ['The second page of a letter']]);
  const parse = vi.spyOn(JSON, 'parse');
  onTestFinished(() => parse.mockRestore());
  const { json, ...kept } = await recognise(pdf);
  const longest = Math.max(...parse.mock.calls.map(([text]) => String(text).length));
  expect(kept).toEqual({
    texts: [lines.join('\n'), 'The second page of a letter'],
    pageCount: 2,
    source: 'text-layer',
  });
  expect(longest).toBeLessThan(200);
  expect(json.length).toBeGreaterThan(1_000);
});

test('of the number of pages that a PDF claims, what can be stored is told, and one without pages is damaged', async () => {
  const page = '<< /Type /Page /MediaBox [0 0 100 100] >>';
  const pdf = (kids: string, count: number) => {
    const objects = [
      '<< /Type /Catalog /Pages 2 0 R >>',
      `<< /Type /Pages /Kids [${kids}] /Count ${count} >>`,
      `<< /Type /Pages /Parent 2 0 R /Kids [4 0 R] /Count ${count - 1} >>`,
      page,
      page,
    ];
    const written = objects.map((object, index) => `${index + 1} 0 obj\n${object}\nendobj\n`);
    return Buffer.from(`%PDF-1.7\n${written.join('')}trailer\n<< /Root 1 0 R /Size 6 >>\n%%EOF\n`);
  };
  const claimed = await read(pdf('3 0 R 5 0 R', 3_000_000_001), { pages: 1 });
  expect(claimed.pageCount).toBe(1_000_000);
  await expect(read(pdf('', 0))).rejects.toMatchObject({ reason: 'damaged' });
});

test('words and text are read up to their limits', async () => {
  const pdf = await letter([['Unfallort: Düsseldorf', 'Fahrer: Jürgen Groß']]);
  const limits = { wordsOfPage: 2, wordLength: 5, textLength: 12 };
  const [page] = (await read(pdf, limits)).pages;
  expect([page?.words.map(({ text }) => text), page?.text]).toEqual([
    ['Unfal', 'Düsse'],
    'Unfallort: D',
  ]);
});

test('texts have no control characters, which are six bytes each in JSON', async () => {
  const { default: PDFDocument } = await import('pdfkit');
  const form = new PDFDocument().font('Helvetica').text('Unfallort: Königsallee 27, Düsseldorf');
  const value = 'Jürgen\u0001\u007f\u0085 Groß\nKöln';
  form.initForm().formText('driver', 10, 200, 200, 40, { multiline: true, value }).end();
  const [page] = (await read(Buffer.concat(await form.toArray()))).pages;
  expect(page?.text).toBe(`${lines[0]}\nJürgen Groß\nKöln`);
  expect(page?.words.map(({ text }) => text)).toContain('Jürgen');
});

test('a sheet that was photographed at an angle, upside down, is straightened and read', async () => {
  const page = await renderPdf(await letter([lines]), 1_600);
  const photo = await photograph(await rotate(page, 180), 'letter');
  const { pages, source } = await read(await jpegOf(photo));
  expect(source).toBe('recognition');
  expect(pages[0]?.text).toBe(lines.join('\n'));
  expect(pages[0]?.picture).toMatchObject({ width: photo.width, height: photo.height });
});

test('a PDF without a text layer is rendered and read', async () => {
  const picture = await jpegOf(await renderPdf(await letter([lines]), 1_600));
  const { default: PDFDocument } = await import('pdfkit');
  const pdf = new PDFDocument({ size: 'A4', margin: 0 });
  pdf.image(picture, 0, 0, { fit: [595, 842] }).end();
  const { pages, source } = await read(Buffer.concat(await pdf.toArray()));
  expect([source, pages[0]?.text]).toEqual(['recognition', lines.join('\n')]);
});

test('what cannot be read is rejected with the reason', async () => {
  const pdf = await letter([lines]);
  const png = await sharp({ create: { width: 200, height: 100, channels: 3, background: '#fff' } })
    .png()
    .toBuffer();
  const attempts: Record<string, () => Promise<unknown>> = {
    'unsupported-type': () => read(Buffer.from('a text is no document')),
    'unsupported-type of nothing': () => read(Buffer.alloc(0)),
    damaged: () => read(png.subarray(0, 60)),
    'damaged PDF': () => read(Buffer.from('%PDF-1.7\nnothing else')),
    encrypted: async () => read(await letter([lines], { userPassword: 'secret' })),
    'too-large in pixels': () => read(png, { pixels: 10_000 }),
    'too-large in bytes': () => read(pdf, { bytes: 1_000 }),
    timeout: () => read(pdf, { seconds: 0.05 }),
    memory: () => read(pdf, { megabytes: 20 }),
  };
  for (const [reason, attempt] of Object.entries(attempts)) {
    await expect(attempt(), reason).rejects.toMatchObject({ reason: reason.split(' ')[0] });
  }
});

test('the process that reads opens pictures of the formats that are meant, and no others', async () => {
  const picture = sharp({ create: { width: 40, height: 20, channels: 3, background: '#fff' } });
  // One that is opened is too large, so that it need not be read.
  const limits = JSON.stringify({ ...recognitionLimits, pixels: 100 });
  const failureOf = async (bytes: Buffer) => {
    const child = startIsolated(join(import.meta.dirname, 'reading-process.ts'), [limits]);
    child.stdin.end(bytes);
    return JSON.parse(await text(child.stdout)).failure;
  };
  for (const format of ['jpeg', 'png', 'webp', 'avif', 'gif', 'tiff'] as const) {
    expect(await failureOf(await picture.toFormat(format).toBuffer()), format).toBe('too-large');
  }
  const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="20"/>';
  expect(await failureOf(Buffer.from(svg))).toBe('damaged');
});

test('the error of a stream is its own, not one of the document', async () => {
  const broken = new Readable({
    read() {
      this.destroy(new Error('the store is gone'));
    },
  });
  await expect(recogniseText('DE-ABC', () => broken)).rejects.toThrow('the store is gone');
});

test('a document is opened when its turn comes, and those of one provider never delay another’s', async () => {
  const pdf = await letter([lines]);
  const read: string[] = [];
  const endings: (() => void)[] = [];
  const reading = (provider: string) =>
    recogniseText(provider, () => {
      read.push(provider);
      // Does not end before it is told to.
      const bytes = new Readable({ read: () => undefined });
      endings.push(() => bytes.push(pdf) && bytes.push(null));
      return bytes;
    });
  const readings = ['DE-ABC', 'DE-ABC', 'FR-XYZ'].map(reading);
  await expect.poll(() => read).toEqual(['DE-ABC', 'FR-XYZ']);
  endings.shift()?.();
  await expect.poll(() => read).toEqual(['DE-ABC', 'FR-XYZ', 'DE-ABC']);
  for (const end of endings) end();
  await Promise.all(readings);
});
