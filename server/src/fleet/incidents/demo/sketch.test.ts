import { decode } from 'fast-png';
import { describe, expect, test } from 'vitest';
import { damagePositions } from '../damage-position.ts';
import { damageSketch } from './sketch.ts';

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
