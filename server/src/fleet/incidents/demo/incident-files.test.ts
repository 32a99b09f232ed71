import { getMeta } from 'unpdf';
import { describe, expect, test } from 'vitest';
import { demoScope } from '../../../testing/demo-scope.ts';
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
      expect(bytes.length).toBeLessThan(4_096);
    }
  });

  test('of one entry have different names', () => {
    const names = files.map(({ entryId, filename }) => `${entryId} ${filename}`);
    expect(new Set(names).size).toBe(names.length);
  });

  test('a document is dated as it says, and names us as its maker', async () => {
    const { bytes, uploadedAt } = files.find(({ filename }) => filename === 'estimate.pdf') ?? {};
    const { info } = await getMeta(new Uint8Array(bytes ?? []));
    expect(info).toMatchObject({
      Creator: 'Motorpool',
      Title: expect.stringMatching(/^Estimate [0-9A-F]{8}$/),
      CreationDate: `D:${uploadedAt?.slice(0, 10).replaceAll('-', '')}000000Z`,
    });
  });
});
