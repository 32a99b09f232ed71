import sharp from 'sharp';
import { expect, test } from 'vitest';
import { demoScope } from '../../../testing/demo-scope.ts';
import { demoVehicles } from '../../vehicles/public.ts';
import { pictureOf } from './picture.ts';

test('a picture can be drawn without fonts and other files, and vehicles differ in theirs', async () => {
  const pictures = demoVehicles(demoScope('DE', new Date('2026-11-01')))
    .slice(0, 30)
    .map(pictureOf);
  expect(new Set(pictures).size).toBeGreaterThan(10);
  for (const picture of pictures)
    expect(picture).not.toMatch(/<text|href|url\((?!#)|undefined|NaN/);
  const { width, height } = await sharp(Buffer.from(pictures[0] ?? '')).metadata();
  expect([width, height]).toEqual([960, 600]);
});
