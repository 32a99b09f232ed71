import { getDocument } from 'pdfjs-dist/legacy/build/pdf.mjs';
import { describe, expect, test } from 'vitest';
import { demoScope } from '../../../testing/demo-scope.ts';
import { logbooks } from './logbook.ts';
import { logbookFiles } from './logbook-files.ts';

const entries = logbooks(demoScope('DE', new Date('2026-11-15T09:30:00.000Z')));
const files = (await Promise.all(entries.map(logbookFiles))).flat();

describe('the files of the logbooks', () => {
  test('are documents and texts, each a few kilobytes', () => {
    const kinds = files.map(({ filename }) => filename.split('.').at(-1));
    for (const kind of ['pdf', 'txt']) {
      expect(kinds.filter((one) => one === kind).length, kind).toBeGreaterThan(2);
    }
    expect(files.length).toBeLessThan(60);
    for (const { bytes } of files) {
      expect(bytes.length).toBeGreaterThan(100);
      expect(bytes.length).toBeLessThan(4_096);
    }
  });

  test('of one entry have different names', () => {
    const names = files.map(({ entryId, filename }) => `${entryId} ${filename}`);
    expect(new Set(names).size).toBe(names.length);
  });

  test('an invoice says on one page what the entry says', async () => {
    const invoices = files.filter(({ filename }) => filename.startsWith('invoice'));
    expect(invoices.length).toBeGreaterThan(2);
    for (const { entryId, bytes } of invoices) {
      const entry = entries.find(({ entry }) => entry.id === entryId)?.entry;
      const pdf = await getDocument({ data: new Uint8Array(bytes) }).promise;
      expect(pdf.numPages).toBe(1);
      const { items } = await (await pdf.getPage(1)).getTextContent();
      const text = items.map((item) => ('str' in item ? item.str : '')).join(' ');
      expect(text).toContain(`Date: ${entry?.date}`);
      expect(text).toContain(`Odometer: ${entry?.odometer} km`);
      expect(text).toContain(entry?.title);
      expect(text).toMatch(
        new RegExp(`Total +${((entry?.cost?.amount ?? 0) / 100).toFixed(2).replace('.', '\\.')} €`),
      );
    }
  });
});
