import { crc32, inflateSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { damagePositions } from '../fleet/incidents/damage-position.ts';
import { damagePlace } from './damage-place.ts';
import { demoFleet } from './fleet.ts';
import { pdfPage } from './pdf.ts';
import { demoRecords, rich } from './records.ts';
import { damageSketch } from './sketch.ts';

const now = new Date('2026-11-15T09:30:00.000Z');
const { files, logbook, incidents } = demoRecords('DE-ABC', demoFleet(now), rich, now);

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

  test('an invoice says what the entry says', () => {
    const invoices = files.filter(({ filename }) => filename.startsWith('invoice'));
    for (const { entryId, bytes } of invoices) {
      const entry = logbook.find(({ thing }) => thing.id === entryId)?.thing;
      const text = bytes.toString('latin1');
      expect(text).toContain(`Date: ${entry?.date}`);
      expect(text).toContain(`Odometer: ${entry?.odometer} km`);
      expect(text).toMatch(
        new RegExp(`Total +${((entry?.cost?.amount ?? 0) / 100).toFixed(2).replace('.', '\\.')} `),
      );
    }
  });
});

describe('a PDF', () => {
  const page = pdfPage('Invoice (1)', [
    { text: 'Škoda \\ Citroën (12 €)', size: 14, font: 'bold' },
    { text: '漢' },
  ]);
  const file = page.toString('latin1');

  test('has a table that says where each object begins', () => {
    expect(file.startsWith('%PDF-1.4\n')).toBe(true);
    expect(file.endsWith('%%EOF\n')).toBe(true);
    const start = Number(/startxref\n(\d+)\n/.exec(file)?.[1]);
    expect(file.slice(start, start + 5)).toBe('xref\n');
    const offsets = [...file.slice(start).matchAll(/^(\d{10}) 00000 n $/gm)].map(([, offset]) =>
      Number(offset),
    );
    expect(offsets).toHaveLength(8);
    for (const [index, offset] of offsets.entries()) {
      expect(file.slice(offset)).toMatch(new RegExp(`^${index + 1} 0 obj\n`));
    }
  });

  test('has a stream of the length that it says', () => {
    const [, length, stream] = /\/Length (\d+) >>\nstream\n([\s\S]*?)\nendstream/.exec(file) ?? [];
    expect(stream?.length).toBe(Number(length));
    expect(stream).toContain('(\x8akoda \\\\ Citro\xebn \\(12 \x80\\)) Tj');
    expect(stream).toContain('(?) Tj');
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

  test('is a PNG of the size and with the checksums that it says', () => {
    const file = damageSketch([damage('roof_middle_center')]);
    expect(file.subarray(0, 8)).toEqual(Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'));
    const chunks: Record<string, Buffer> = {};
    for (let at = 8; at < file.length; ) {
      const length = file.readUInt32BE(at);
      const typed = file.subarray(at + 4, at + 8 + length);
      expect(file.readUInt32BE(at + 8 + length)).toBe(crc32(typed));
      chunks[typed.toString('latin1', 0, 4)] = typed.subarray(4);
      at += 12 + length;
    }
    expect(Object.keys(chunks)).toEqual(['IHDR', 'PLTE', 'IDAT', 'IEND']);
    const width = chunks.IHDR?.readUInt32BE(0) ?? 0;
    const height = chunks.IHDR?.readUInt32BE(4) ?? 0;
    const pixels = inflateSync(chunks.IDAT as Buffer);
    expect(pixels.length).toBe((width + 1) * height);
    expect(Math.max(...pixels)).toBeLessThan((chunks.PLTE?.length ?? 0) / 3);
  });

  test('marks every position, the left ones on the left and the front ones ahead', () => {
    const plain = damageSketch([]);
    for (const position of damagePositions) {
      expect(damageSketch([damage(position)]).equals(plain), position).toBe(false);
      const { across, along } = damagePlace(position);
      if (/^left_|_left(_|$)/.test(position)) expect(across, position).toBeLessThan(0.5);
      if (/^right_|_right(_|$)/.test(position)) expect(across, position).toBeGreaterThan(0.5);
      if (position.startsWith('front_')) expect(along, position).toBeLessThan(0.5);
      if (position.startsWith('rear_')) expect(along, position).toBeGreaterThan(0.5);
      if (/^(left|right)_front/.test(position)) expect(along, position).toBeLessThan(0.5);
      if (/^(left|right)_rear/.test(position)) expect(along, position).toBeGreaterThan(0.5);
    }
  });
});
