import { decode } from 'fast-png';
import { extractText, getMeta } from 'unpdf';
import { describe, expect, test } from 'vitest';
import { damagePositions } from '../fleet/incidents/damage-position.ts';
import { demoFleet } from './fleet.ts';
import { demoRecords, rich } from './records.ts';
import { damageSketch } from './sketch.ts';

const now = new Date('2026-11-15T09:30:00.000Z');
const { files, logbook, incidents } = await demoRecords('DE-ABC', demoFleet(now), rich, now);

describe('the files of the demo', () => {
  test('are texts, pictures and documents, on entries and on incidents, each a few kilobytes', () => {
    const kinds = files.map(({ owner, filename }) => `${owner} ${filename.split('.').at(-1)}`);
    for (const kind of ['logbook pdf', 'logbook txt', 'incidents png', 'incidents txt']) {
      expect(kinds.filter((one) => one === kind).length, kind).toBeGreaterThan(2);
    }
    expect(kinds).toContain('incidents pdf');
    expect(files.length).toBeLessThan(100);
    for (const { bytes } of files) {
      expect(bytes.length).toBeGreaterThan(100);
      expect(bytes.length).toBeLessThan(4_096);
    }
  });

  test('belong to entries that exist, of the same vehicle', () => {
    const owners = new Set([
      ...logbook.map(({ vehicleId, thing }) => `logbook ${vehicleId} ${thing.id}`),
      ...incidents.map(({ vehicleId, thing }) => `incidents ${vehicleId} ${thing.id}`),
    ]);
    for (const { owner, vehicleId, entryId } of files) {
      expect(owners).toContain(`${owner} ${vehicleId} ${entryId}`);
    }
  });

  test('an invoice says on one page what the entry says', async () => {
    const invoices = files.filter(({ filename }) => filename.startsWith('invoice'));
    for (const { entryId, bytes } of invoices) {
      const entry = logbook.find(({ thing }) => thing.id === entryId)?.thing;
      const { text, totalPages } = await extractText(new Uint8Array(bytes), { mergePages: true });
      expect(totalPages).toBe(1);
      expect(text).toContain(`Date: ${entry?.date}`);
      expect(text).toContain(`Odometer: ${entry?.odometer} km`);
      expect(text).toContain(entry?.title);
      expect(text).toMatch(
        new RegExp(`Total +${((entry?.cost?.amount ?? 0) / 100).toFixed(2).replace('.', '\\.')} €`),
      );
    }
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

describe('a sketch', () => {
  const damage = (position: (typeof damagePositions)[number]) => ({
    title: 'x',
    damageType: 'dent',
    severity: 'high' as const,
    repaired: false,
    position,
  });

  test('marks every position, the left ones on the left and the front ones ahead', async () => {
    for (const position of damagePositions) {
      const { width, height, data, palette } = decode(await damageSketch([damage(position)]));
      const red = palette?.findIndex((colour) => colour.join() === '210,30,40');
      const marked = [...data.keys()].filter((pixel) => data[pixel] === red);
      expect(marked.length, position).toBeGreaterThan(300);
      const across = mean(marked.map((pixel) => pixel % width)) / width;
      const along = mean(marked.map((pixel) => Math.floor(pixel / width))) / height;
      if (/^left_|_left(_|$)/.test(position)) expect(across, position).toBeLessThan(0.5);
      if (/^right_|_right(_|$)/.test(position)) expect(across, position).toBeGreaterThan(0.5);
      if (position.startsWith('front_')) expect(along, position).toBeLessThan(0.5);
      if (position.startsWith('rear_')) expect(along, position).toBeGreaterThan(0.5);
      if (/^(left|right)_front/.test(position)) expect(along, position).toBeLessThan(0.5);
      if (/^(left|right)_rear/.test(position)) expect(along, position).toBeGreaterThan(0.5);
    }
  });
});

function mean(numbers: readonly number[]): number {
  return numbers.reduce((sum, one) => sum + one, 0) / numbers.length;
}
