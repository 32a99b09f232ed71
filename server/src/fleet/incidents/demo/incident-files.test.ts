import { Readable } from 'node:stream';
import { getDocument } from 'pdfjs-dist/legacy/build/pdf.mjs';
import { describe, expect, test } from 'vitest';
import { recogniseText } from '../../../platform/text-recognition/recognise-text.ts';
import { parseDocument } from '../../../platform/text-recognition/recognised-document.ts';
import { demoScope } from '../../../testing/demo-scope.ts';
import { suggestedFields, suggestionsOf } from '../recognition/suggestions.ts';
import { incidentFiles } from './incident-files.ts';
import { demoIncidents } from './incidents.ts';

const entries = demoIncidents(demoScope('DE', new Date('2026-11-15T09:30:00.000Z')));
const files = (await Promise.all(entries.map(incidentFiles))).flat();

describe('the files of the incidents', () => {
  test('are pictures, texts and documents, each a few kilobytes', () => {
    const kinds = files.map(({ filename }) => filename.split('.').at(-1));
    for (const kind of ['png', 'txt']) {
      expect(kinds.filter((one) => one === kind).length, kind).toBeGreaterThan(2);
    }
    expect(kinds).toContain('pdf');
    expect(files.length).toBeLessThan(60);
    for (const { bytes } of files) {
      expect(bytes.length).toBeGreaterThan(100);
      expect(bytes.length).toBeLessThan(6_144);
    }
  });

  test('one incident waits for its accident statement to be read, which tells what nobody has typed', async () => {
    const waiting = entries.filter(({ entry }) => entry.ocrStatus === 'PROCESSING');
    expect(waiting.map(({ entry }) => [entry.cause, entry.description])).toEqual([
      [undefined, undefined],
    ]);
    const statement = files.find(({ filename }) => filename === 'accident-statement.pdf');
    const read = await recogniseText('DE-ABC', () =>
      Readable.from([statement?.bytes ?? Buffer.alloc(0)]),
    );
    const found = suggestionsOf(parseDocument(read), {
      licensePlate: waiting[0]?.vehicle.information.licensePlate,
      timeZone: 'Europe/Berlin',
      now: new Date('2026-11-15T09:30:00.000Z'),
    });
    expect(found.map(({ field }) => field)).toEqual(suggestedFields);
    expect(found[0]?.value.slice(0, 16)).toBe(waiting[0]?.entry.incidentTimestamp?.slice(0, 16));
    expect(found[1]?.value).toBe(waiting[0]?.entry.location);
  });

  test('of one entry have different names', () => {
    const names = files.map(({ entryId, filename }) => `${entryId} ${filename}`);
    expect(new Set(names).size).toBe(names.length);
  });

  test('a document is dated as it says, and names us as its maker', async () => {
    const { bytes, uploadedAt } = files.find(({ filename }) => filename === 'estimate.pdf') ?? {};
    const pdf = await getDocument({ data: new Uint8Array(bytes ?? []) }).promise;
    const { info } = await pdf.getMetadata();
    expect(info).toMatchObject({
      Creator: 'Motorpool',
      Title: expect.stringMatching(/^Estimate [0-9A-F]{8}$/),
      CreationDate: `D:${uploadedAt?.slice(0, 10).replaceAll('-', '')}000000Z`,
    });
  });
});
